import { isDeceiving, replaceUnseen } from "../../contract/names.ts";

// Names by which programs find files that they run, load or obey. A name is risky when a file with it, and any content,
// can do harm in somebody's working folder.

/** Extensions of code, of files that run when they are opened, and of files that its tools read. */
const CODE = setOf(`
  py pyw pyi pyc pyo pyd pyx pxd pth egg whl ipynb js cjs mjs jsx ts cts mts tsx vue svelte astro coffee node wasm rb rbw rake ru gemspec erb pl pm pod t psgi
  php phtml phar phps lua tcl tk r rmd rprofile jl swift kt kts java jsp class jar war ear groovy gvy gradle scala sc sbt clj cljs cljc edn ex exs eex erl hrl hs
  lhs cabal purs elm ml mli mll mly fs fsx fsi cs csx cshtml vb vbhtml csproj vbproj fsproj vcxproj sln slnx props targets nuspec go mod sum work rs c h cc cpp
  cxx hh hpp inl m mm asm s d di zig zon nim nims nimble cr dart nix el elc lisp lsp scm ss rkt v sv f f90 pas dpr ada adb ads sql awk sed sh bash zsh fish ksh
  csh tcsh nu xsh elv command tool workflow action scpt applescript bat cmd com exe pif dll ocx so dylib bundle ko sys scr cpl msi msix appx ps1 psm1 psd1 ps1xml
  vbs vbe jse ws wsf wsc wsh hta lnk url webloc website scf reg inf job desktop directory service socket timer mount automount swap path target slice scope
  network netdev link nspawn container pod kube volume rules policy te html htm xhtml shtml mht mhtml svg svgz xsl xslt css scss sass less styl tf tfvars hcl
  nomad sentinel rego pkl jsonnet libsonnet cue dhall star bzl bazel buck build gn gni gyp gypi ninja mk mak make cmake am ac m4 in bb bbappend bbclass dockerfile
  containerfile earthfile just do pp epp spec ebuild rockspec lock env envrc ovpn rdp code-workspace sublime-project sublime-settings iml xcconfig xcscheme
  pbxproj entitlements storyboard mobileconfig plist vim vimrc nvim exrc gdb lldb gdbinit ahk au3 tmux mdc prompt skill nf smk wdl cwl docm dotm xlsm xltm xlam
  xll pptm potm ppam sldm chm one deb rpm apk ipa dmg pkg appimage snap flatpakref run nupkg vsix crx xpi gem iso vhd vhdx lockb neon rsp latexmkrc
`);

/** Names of instructions that agents read first. A suffix after `-`, `_` or `.` may follow, as in `CLAUDE.local.md`. */
const INSTRUCTIONS = setOf(`
  agent agents claude gemini qwen copilot memory skill crush warp opencode readme llms conventions cursorrules windsurfrules clinerules
`);
/** The same, without a suffix. */
const WHOLE_INSTRUCTIONS = setOf(`
  soul identity user tools heartbeat bootstrap replit rules instructions context persona system prompt codex cursor aider jules
`);
const PROSE = setOf("md markdown mdx rst");

/**
 * Names of settings and recipes, up to a dot: an infix may follow, as in `compose.override.yaml`, and the extension.
 */
const STEMS = setOf(`
  docker-compose compose docker-bake taskfile justfile tsconfig jsconfig appsettings launchsettings requirements constraints pulumi azure-pipelines
  bitbucket-pipelines lefthook serverless terraform kubeconfig kustomization helmfile skaffold mcp mcp_settings mcp_config claude_desktop_config opencode crush
  package package-lock npm-shrinkwrap composer bower lerna nx turbo rush project workspace angular nest-cli nodemon renovate vercel netlify now firebase cdk cdktf
  sst app manifest global nuget dub biome dprint cspell cypress tslint eslint stylelint prettier devcontainer devbox tauri elm gemini-extension plugin
  hooks marketplace wrangler karma babel metro ng-package api-extractor typedoc knip deno import_map import-map bunfig bun jest vitest vite playwright rollup
  webpack ecosystem pm2 processes pnpm-workspace pnpm-lock mkdocs _config _quarto hugo zola appveyor cloudbuild buildspec appspec template samconfig
  chart values galaxy ansible playbook site main codecov user-data cloud-init cloud-config dispatch cron pubspec melos analysis_options
  stack hie shard environment meta anaconda-project conda pixi cargo clippy rustfmt rust-toolchain deny cross pyproject poetry uv pdm pipfile tox pytest mypy pylint
  ruff flake8 bandit setup uwsgi alembic supervisord circus gunicorn pants mise rtx fly railway render heroku gradle maven pom build ivy phpunit
  phpcs phpstan psalm phpbench infection web nginx httpd apache2 php my pip buildout dune meson meson_options conanfile cmakelists cmakepresets
  cmakeuserpresets vcpkg vcpkg-configuration xmake premake log4j log4j2 logback log4net application bootstrap persistence struts hibernate gitconfig gitattributes
  gitmodules hgrc trunk earthly tilt devspace garden okteto werf dagger procfile runtime apt packages action lsp pyrightconfig nimble bsconfig rescript bs-config
  redis mosquitto haproxy traefik caddy prometheus squid dnsmasq sshd_config ssh_config sudo sudoers logrotate fstab crontab wpad proxy autorun desktop svelte
  rebar sys book hatch maturin buf platformio process-compose mprocs foundry moon proto grumphp captainhook deptrac sgconfig dbt_project profiles sqlfluff
  sqlc gqlgen codegen openapitools relay wails dioxus scarb nargo anchor gleam spago esy goreleaser golangci semgrep mergify crowdin zensical antora amplify
  apphosting nixpacks railpack nightwatch sonar-project release-please-config
`);
/** The extensions of such files. */
const SETTINGS = setOf("json jsonc json5 yaml yml toml ini cfg cnf conf config properties xml sdl");

/** Names with the extension `txt`. */
const TXT = setOf(
  "cmakelists meson_options conanfile runtime packages apt llms agents claude known_hosts authorized_keys",
);

/** Names that have no extension. */
const BARE = setOf(`
  config head commondir gitdir packed-refs description attributes exclude build buck workspace deps kbuild kconfig configure artisan gradlew mvnw inventory hosts
  crontab pkgbuild apkbuild profile environment passwd shadow group sudoers fstab exports dune dune-project opam sconstruct sconscript wscript waf codeowners
  owners control rules changelog postinst preinst postrm prerm install hgrc gitconfig gitattributes gitmodules nsswitch resolv init startup autoexec activate
  manage console rake rust-toolchain known_hosts sshd_config ssh_config logrotate user-data meta-data vendor-data network-config now
`);

/** Names of any other shape. */
const SHAPES: readonly RegExp[] = [
  // Gemfile, cpanfile, Dockerfile.dev; but not a key file.
  /^(?!(key|pass|password|secret|token|cert|log|data)file)[a-z]*file$/,
  /^(make|gnumake|docker|container|jenkins|vagrant|proc|just|task|pip|gem|earth|tilt|snake|jam)file[-_.]/,
  // pylintrc, eslintrc.json, _netrc
  /^[a-z_-]+rc(\.(json|jsonc|yaml|yml|toml|conf))?$/,
  // vite.config.json, tauri.conf.json, review.prompt.md
  /\.(config|conf|workspace|project|rc|prompt|instructions|chatmode|agent|rules)\.[a-z0-9]+$/,
  /\.(tf|tfvars|pkr|pkrvars|auto|nomad)\.(json|hcl)$/,
  /(^|[-_.])(requirements|constraints)([-_.].*)?\.(txt|in|yaml|yml)$/,
  /^(authorized|trusted)[-_.]?keys?\d*(\..*)?$/,
  /^wg\d+\.conf$/,
  /^kubeconfig/,
  /^cabal\.project(\.|$)/,
  /^config\.(toml|yaml|yml|xml)$/,
  /^(cron|at)\.(allow|deny)$/,
  /^(ld\.so\.(preload|conf)|wpad\.dat)$/,
];

/** Directories whose files are run, loaded or obeyed, whatever their names. */
const FOLDERS =
  /^(node_modules|bower_components|jspm_packages|site-packages|dist-packages|__pycache__|__pypackages__|venv|virtualenv|env|vendor|gems|pods|bin|sbin|libexec|scripts|hooks|githooks|git|systemd|autostart|startup|launchagents|launchdaemons|group_vars|host_vars|skills|agents|commands|prompts|plugins|extensions|autoload|meta-inf|web-inf|cron\.(hourly|daily|weekly|monthly)|.*\.(d|git|app|xcodeproj|xcworkspace|dist-info|egg-info))$/;

/** The reason against a new file at this path, to complete "it …"; undefined for a name that isn't listed. */
export function riskOfPath(path: string): string | undefined {
  if (isDeceiving(path) || replaceUnseen(path, "") !== path)
    return "can be taken for another, because it has characters that can't be seen";
  // `tar *` and `rm *` take it for an option.
  if (path.split(/[/\\]/).some((name) => name.normalize("NFKC").startsWith("-")))
    return "can be taken for an option of a command";
  const folders = path.normalize("NFKC").split(/[/\\]/).map(plain);
  const name = folders.pop() ?? "";
  if (folders.some((each) => FOLDERS.test(each))) return "can be run or loaded as code";
  return isObeyed(name.replace(/\.dist$/, "")) ? "can be obeyed or run by programs" : undefined;
}

/** True for a path with a name that begins with a dot, or that systems or programs may take for a listed one. */
export function isHidden(path: string): boolean {
  const plainest = replaceUnseen(path, "").normalize("NFKC");
  return plainest.split(/[/\\]/).some((name) => name.startsWith("."));
}

function isObeyed(name: string): boolean {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
  if (extension === undefined) {
    if (stem === "" || BARE.has(stem) || INSTRUCTIONS.has(stem)) return true;
  } else if (CODE.has(extension) || (extension === "txt" && TXT.has(stem))) return true;
  else if (SETTINGS.has(extension)) {
    const [first = ""] = name.split(".", 1);
    if (STEMS.has(first)) return true;
  } else if (PROSE.has(extension)) {
    if (WHOLE_INSTRUCTIONS.has(stem) || prefixesOf(stem).some((each) => INSTRUCTIONS.has(each))) return true;
  }
  return SHAPES.some((shape) => shape.test(name));
}

/** `stem`, and each of its prefixes that ends before a `-`, `_` or `.`. */
function prefixesOf(stem: string): string[] {
  return [...stem.matchAll(/[-_.]|$/g)].map(({ index }) => stem.slice(0, index));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** A name as systems with several spellings compare it: they drop the part after a colon, and dots at the end. */
function plain(name: string): string {
  return name
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}
