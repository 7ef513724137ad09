import type { NameTable } from "./name-rules.ts";

/** Patterns of names that programs obey although no list has them; `*` stands for any part of a name. */
export const SHAPES: NameTable = [
  ["*OPT *OPTS *OPTIONS *ARGS *FLAGS", "looks like options of a program, which can make it run commands"],
  ["*COMMAND *COMMANDS *CMD *_EXEC *_HOOK *_HOOKS *_SCRIPT *_ALIAS *_ALIAS_*", "looks like a command that is run"],
  [
    "*_SHELL *_PYTHON *_RUBY *_PERL *_NODE *_JAVA *_RSH *_SSH *_DIFF *_EXECUTABLE *_EXECUTABLES *_BINARY *_BIN *_EXE *_PROGRAM *_PROG *_COMPILER *_LINKER *_WRAPPER *_LAUNCHER *_RUNNER *_INTERPRETER *_HANDLER *_DRIVER *_HELPER",
    "looks like a program that is run",
  ],
  ["*_PREFIX *_HOME *_ROOT *_DIR *_DIRS *_DIRECTORY", "looks like a directory that programs are run or loaded from"],
  ["*PATH *PATHS", "looks like a list of directories that code is loaded from"],
  [
    "*_PLUGIN *_PLUGINS *_MODULE *_MODULES *_EXTENSION *_EXTENSIONS *_LIB *_LIBS *_LIBRARY *_LIBRARIES *_PRELOAD *_LOADER *_BACKEND *_STARTUP *_START *_INIT *_AUDIT",
    "looks like code that is loaded",
  ],
  [
    "*_CONFIG *_CONF *CONFIG *_SETTINGS *_FILE *_FILES *RC *_PROFILE_FILE",
    "looks like settings, or like a file that they are read from",
  ],
  ["*_REGISTRY *_INDEX_URL *_MIRROR", "looks like an address that code is downloaded from"],
  [
    "GIT_* SVN_* SSH_* RSYNC_* CURL_* DBUS_* AT_SPI_* SYSTEMD_* WAYLAND_* FZF_* BAT_* NNN_* DELTA_*",
    "begins like a setting of a tool that can run commands",
  ],
  [
    "NPM_* PNPM_* YARN_* BUN_* DENO_* NODE_* NVM_* FNM_* VOLTA_* ELECTRON_* PUPPETEER_* PLAYWRIGHT_* CHROME_*",
    "begins like a setting of a JavaScript runtime or its tools",
  ],
  [
    "PIP_* UV_* PYTEST_* PYENV_* CONDA_* COVERAGE_* FLASK_* GUNICORN_* UVICORN_* GEM_* RBENV_* BUNDLER_* GHC* CABAL_* STACK_* OPAM* ZIG_* CARGO_* GRADLE_* MAVEN_* SBT_* JAVA_* JVM_*",
    "begins like a setting of a language or its tools",
  ],
  [
    "CCACHE_* SCCACHE_* DISTCC_* NIX_* APT_* DPKG_* DIRENV_* ASDF_* MISE_* PRE_COMMIT_* HUSKY_*",
    "begins like a setting of a tool that runs other programs",
  ],
  [
    "ANSIBLE_* HELM_* KUBECTL_* KUBE_* DOCKER_* BUILDKIT_* BUILDX_* COMPOSE_* PODMAN_* CONTAINERS_* TG_* TERRAGRUNT_* TF_* VAGRANT_* PACKER_* RCLONE_*",
    "begins like a setting of a tool that can run plugins or commands",
  ],
  [
    "GTK_* GDK_* GIO_* GST_* QT_* KDE_* VK_* LIBGL_* MESA_* EGL_* __EGL_* __GLX_* OCL_ICD_* LIBVA_* VDPAU_* ALSA_* OMPI_* P11_* GNUTLS_*",
    "begins like a setting of a library that loads modules",
  ],
];

/**
 * The ends of names that secrets have. TF_VAR_ and TF_TOKEN_ begin names that the user's own configuration asks for. A
 * listed name is refused all the same.
 */
const SECRET =
  /(^|_)(PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|TOKENS?|SECRET|KEY|PIN|USERNAME|USER|CREDENTIALS?)$|^TF_(VAR|TOKEN)_/i;

/** True for a name that secrets usually have. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
