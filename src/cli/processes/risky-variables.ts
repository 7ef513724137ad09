import { reasonFor, rulesOf } from "./name-rules.ts";
import type { NameTable } from "./name-rules.ts";
import { isSecretName, SHAPES } from "./variable-shapes.ts";

/** Names of variables that programs obey. */
const RISKS: NameTable = [
  ["HANDOFF_*", "sets up handoff itself"],
  ["__PROTO__", "is a name that programs stumble over"],
  [
    "LD_* DYLD_* _RLD_* GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH LIBPATH SHLIB_PATH",
    "chooses code that every program loads",
  ],
  ["PATH PATHEXT COMSPEC SHELL EXECIGNORE", "chooses which programs are run"],
  ["LANG LANGUAGE LC_* TERM TZ TZDIR", "chooses files that every program reads"],
  ["TMPDIR TMP TEMP TEMPDIR PWD OLDPWD", "chooses the directory that programs work in"],
  [
    "TAPE RMT RSH MAKEINFO AWK GAWK SED M4 GREP EGREP FGREP LEX FLEX YACC BISON LINT TEX TEXI2DVI WEAVE CWEAVE TANGLE CTANGLE FC GET CO RM CP MV INSTALL MKDIR_P LN_S PERL PYTHON RUBY NODE",
    "is run as a program by tar, make or configure",
  ],
  ["ZIP UNZIP ZIPINFO GZIP BZIP BZIP2 XZ_DEFAULTS", "holds options of a program that can run commands"],
  [
    "DBUS_* DISPLAY XAUTHORITY SESSION_MANAGER CVSROOT",
    "names a server that programs trust, or a command that is run as one",
  ],
  ["BUN_BE_BUN", "turns programs that were built with Bun into Bun itself"],
  ["MPLBACKEND FLASK_APP DJANGO_SETTINGS_MODULE", "makes Python load or download code"],
  [
    "ODBCINI ODBCSYSINI TNS_ADMIN GOOGLE_EXTERNAL_* GOOGLE_APPLICATION_CREDENTIALS",
    "names a file that can make the tool load code",
  ],
  [
    "HOME USERPROFILE APPDATA LOCALAPPDATA XDG_* ZDOTDIR",
    "chooses the directory that programs read their settings from",
  ],
  [
    "ENV BASH_* BASHOPTS SHELLOPTS IFS PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND CDPATH FPATH GLOBIGNORE INPUTRC KSH_ENV PSMODULEPATH FISH_FUNCTION_PATH",
    "makes a shell run commands, or read them differently",
  ],
  ["TERMCAP TERMINFO TERMINFO_DIRS TERMPATH", "chooses files that control the terminal"],
  [
    "NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE NODE_CHANNEL_FD NODE_ICU_DATA ELECTRON_RUN_AS_NODE BUN_OPTIONS BUN_INSPECT* BUN_CONFIG_REGISTRY BUN_INSTALL* DENO_DIR DENO_INSTALL* TS_NODE_*",
    "makes a JavaScript runtime load code",
  ],
  [
    "NPM_CONFIG_* YARN_RC_FILENAME YARN_PLUGINS YARN_YARN_PATH PNPM_HOME COREPACK_HOME COREPACK_ROOT COREPACK_NPM_REGISTRY",
    "makes a package manager run or download code",
  ],
  [
    "PYTHON* VIRTUAL_ENV CONDA_EXE CONDA_PREFIX JUPYTER_PATH JUPYTER_CONFIG_DIR IPYTHONDIR PIP_CONFIG_FILE PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_TRUSTED_HOST UV_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL UV_DEFAULT_INDEX UV_FIND_LINKS UV_CONFIG_FILE UV_PYTHON*",
    "makes Python load or download code",
  ],
  ["PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5SHELL PERL_* PERLIO*", "makes Perl load code"],
  [
    "RUBYOPT RUBYLIB RUBYPATH RUBYSHELL GEM_HOME GEM_PATH GEM_SPEC_CACHE BUNDLE_GEMFILE BUNDLE_PATH BUNDLE_BIN* BUNDLE_APP_CONFIG",
    "makes Ruby load code",
  ],
  [
    "PHPRC PHP_INI_SCAN_DIR COMPOSER_HOME LUA_INIT* LUA_PATH* LUA_CPATH* TCLLIBPATH AWKPATH AWKLIBPATH M4PATH",
    "makes an interpreter load code",
  ],
  [
    "GUILE_LOAD* GUILE_SYSTEM* R_PROFILE* R_ENVIRON* R_HOME R_LIBS* JULIA_* ERL_* ELIXIR_ERL_OPTIONS EMACSLOADPATH OCAMLRUNPARAM CAML_LD_LIBRARY_PATH OCAMLPATH",
    "makes an interpreter load code",
  ],
  [
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME JRE_HOME CLASSPATH MAVEN_OPTS MAVEN_ARGS MAVEN_HOME M2_HOME GRADLE_OPTS GRADLE_HOME GRADLE_USER_HOME ANT_OPTS ANT_ARGS SBT_OPTS CATALINA_OPTS CATALINA_HOME CATALINA_BASE JRUBY_OPTS GROOVY_* KOTLIN_HOME",
    "makes Java load code",
  ],
  [
    "DOTNET_* CORECLR_* COR_ENABLE_PROFILING COR_PROFILER* COMPLUS_* MONO_PATH MONO_GAC_PREFIX MONO_ENV_OPTIONS MONO_CONFIG MSBUILD*",
    "makes .NET load code",
  ],
  [
    "GOFLAGS GOENV GOROOT GOPATH GOBIN GOTOOLDIR GOTOOLCHAIN GOPROXY GOSUMDB GONOSUM* GOINSECURE CGO_*",
    "makes Go run or download code",
  ],
  [
    "RUSTC* RUSTDOC* RUSTFLAGS RUSTUP_* CARGO_HOME CARGO_BUILD_* CARGO_TARGET_* CARGO_ENCODED_RUSTFLAGS",
    "makes Rust's tools run or download code",
  ],
  [
    "MAKE MAKEFLAGS MAKEFILES MFLAGS GNUMAKEFLAGS CC CXX CPP LD AR AS NM RANLIB STRIP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX CMAKE_* CONFIG_SITE CONFIG_SHELL PKG_CONFIG* ACLOCAL_PATH LIBTOOL*",
    "makes a build run other programs",
  ],
  [
    "GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_SHELL_PATH GIT_CONFIG* GIT_ATTR_*",
    "makes git run a command",
  ],
  [
    "GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_CEILING_DIRECTORIES GIT_ALLOW_PROTOCOL GIT_PROTOCOL* GIT_SSL_* GIT_TRACE* GIT_TEXTDOMAINDIR",
    "changes which repository or server git uses, or what it writes where",
  ],
  [
    "HG HGRCPATH HGEDITOR HGMERGE SVN_SSH SVN_EDITOR CVS_RSH CVSEDITOR BZR_* RSYNC_RSH RSYNC_CONNECT_PROG RSYNC_PROXY",
    "makes a tool run a command",
  ],
  [
    "SSH_ASKPASS* SSH_AUTH_SOCK SSH_AGENT_PID SSH_SK_* SSH_PKCS11_HELPER SUDO_ASKPASS SUDO_EDITOR SUDO_PROMPT GNUPGHOME GPG_AGENT_INFO KRB5_CONFIG KRB5_TRACE *_ASKPASS",
    "makes ssh, sudo or gpg run a command, or trust another agent",
  ],
  [
    "EDITOR VISUAL FCEDIT SELECTED_EDITOR ALTERNATE_EDITOR EXINIT VIMINIT GVIMINIT VIM VIMRUNTIME MYVIMRC NVIM* *_EDITOR",
    "is run as an editor, or makes one run commands",
  ],
  [
    "PAGER MANPAGER LESS LESSOPEN LESSCLOSE LESSKEY* LESSEDIT MORE MANOPT MANROFFOPT MANROFFSEQ GROFF_* SYSTEMD_LESS *_PAGER",
    "is run as a pager, or makes one run commands",
  ],
  ["BROWSER *_BROWSER", "is run as a browser"],
  [
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY *_PROXY PROXYCHAINS_* SOCKS_SERVER",
    "sends traffic through another machine",
  ],
  [
    "HOSTALIASES LOCALDOMAIN RES_OPTIONS RESOLV_HOST_CONF NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE *_CA_BUNDLE SSLKEYLOGFILE OPENSSL_CONF* OPENSSL_MODULES OPENSSL_ENGINES CURL_HOME WGETRC SYSTEM_WGETRC NETRC",
    "changes which servers are reached or trusted, or writes down TLS keys",
  ],
  [
    "KUBECONFIG DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT DOCKER_CERT_PATH AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_ENDPOINT_URL* CLOUDSDK_CONFIG CLOUDSDK_PYTHON* AZURE_CONFIG_DIR TF_CLI_* TF_PLUGIN_* TF_REATTACH_* ANSIBLE_CONFIG ANSIBLE_LIBRARY ANSIBLE_*_PATH ANSIBLE_*_PATHS ANSIBLE_*_PLUGINS HELM_PLUGINS PSQLRC PGSERVICEFILE PGSYSCONFDIR MYSQL_HOME",
    "names a file or an address that can make the tool run commands",
  ],
];

const LISTED = rulesOf(RISKS);
const SHAPED = rulesOf(SHAPES);

/**
 * The reason not to put a secret into the variable `name`, to complete "it …": its sender would choose code or settings
 * with it. Undefined for a name that is not listed and has no shape that loaders, shells, interpreters or tools obey,
 * and for a name with the shape of a secret's. This is a guard and no proof, as programs may obey any variable.
 */
export function riskOfVariable(name: string): string | undefined {
  return reasonFor(name, LISTED) ?? (isSecretName(name) ? undefined : reasonFor(name, SHAPED));
}
