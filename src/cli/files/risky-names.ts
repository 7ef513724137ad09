import { reasonFor, rulesOf } from "../processes/name-rules.ts";
import type { NameTable } from "../processes/name-rules.ts";

/** Names of files that programs obey or run by themselves. */
const NAMES: NameTable = [
  [
    "AGENTS.md AGENTS.*.md CLAUDE.md CLAUDE.*.md GEMINI.md CODEX.md COPILOT.md copilot-instructions.md *.instructions.md *.prompt.md SKILL.md llms.txt *.mdc mcp.json",
    "is read by agents as instructions",
  ],
  [
    "*.py *.pyc *.pyo *.pyw *.pyi *.pyx *.pth *.egg *.egg-link *.whl *.ipynb pytest.ini tox.ini setup.cfg pyproject.toml requirements*.txt constraints*.txt Pipfile Pipfile.lock poetry.lock poetry.toml uv.lock uv.toml pdm.lock pdm.toml environment.yml environment.yaml",
    "is run by Python or its tools, or chooses what they run",
  ],
  [
    "*.js *.mjs *.cjs *.jsx *.ts *.mts *.cts *.tsx *.vue *.svelte *.node *.wasm package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-* pnpmfile* bun.lock* bunfig.toml deno.json* deno.lock tsconfig*.json jsconfig.json turbo.json nx.json lerna.json lefthook* vercel.json netlify.toml wrangler.toml wrangler.json*",
    "is run by JavaScript runtimes or their tools, or chooses what they run",
  ],
  ["*.html *.htm *.xhtml *.svg *.hta *.mht *.mhtml *.swf", "is run by browsers"],
  [
    "*.sh *.bash *.zsh *.fish *.ksh *.csh *.tcsh *.command *.ps1 *.psm1 *.psd1 *.bat *.cmd *.com *.exe *.msi *.scr *.pif *.vbs *.vbe *.wsf *.wsh *.jse *.lnk *.url *.reg *.inf",
    "is run by shells or by a double click",
  ],
  [
    "*.rb *.erb *.gemspec *.rake *.ru Gemfile* Rakefile* Guardfile Capfile Thorfile Brewfile Podfile Fastfile Appfile Dangerfile Vagrantfile Berksfile Puppetfile Procfile*",
    "is run by Ruby or its tools, or names commands",
  ],
  [
    "*.pl *.pm *.php *.phtml *.phar php.ini composer.json composer.lock *.lua *.tcl *.jl *.awk *.sed *.scm *.el *.elc *.vim *.ex *.exs *.erl *.hs *.groovy *.clj *.cljs *.edn *.bb *.nu *.raku *.applescript *.scpt",
    "is run by interpreters or editors",
  ],
  [
    "Makefile* GNUmakefile BSDmakefile *.mk *.mak justfile* *.just Taskfile* *.ninja CMakeLists.txt CMake*.json CMake*.txt *.cmake configure configure.* config.status config.site aclocal.m4 *.m4 *.ac meson.* meson_options.txt SConstruct SConscript wscript Snakefile* Tiltfile* Earthfile* BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel* *.bzl *.bazel *.star BUCK Jamfile* Jamroot* Tupfile* xmake.* premake* conanfile* vcpkg.json dune dune-project",
    "is obeyed by build tools",
  ],
  [
    "*.c *.cc *.cpp *.cxx *.h *.hh *.hpp *.rs *.go *.zig *.swift *.kt *.kts *.java *.scala *.sc *.cs *.fs *.fsx *.vb *.dart *.nim Cargo.* rust-toolchain* go.mod go.sum go.work* *.gradle gradle.properties gradlew* mvnw* pom.xml build.xml ivy.xml *.sbt *.csproj *.vbproj *.fsproj *.vcxproj *.sln *.props *.targets *.nuspec nuget.config global.json Package.swift Package.resolved pubspec.* rebar.* stack.yaml *.cabal *.nix flake.lock",
    "is compiled or obeyed by build tools",
  ],
  [
    "*.so *.so.* *.dll *.dylib *.jar *.war *.class *.ko *.run *.AppImage *.deb *.rpm *.apk *.pkg *.dmg *.xpi *.crx *.vsix",
    "is loaded or installed as code",
  ],
  [
    "Dockerfile* *.dockerfile Containerfile* docker-compose* compose.yml compose.yaml compose.*.yml compose.*.yaml docker-bake.* devcontainer.json skaffold.* Jenkinsfile* azure-pipelines* bitbucket-pipelines* appveyor* cloudbuild* buildspec* action.yml action.yaml renovate.json* *.tf *.tf.json *.tofu terragrunt.hcl Pulumi.yaml serverless.* ansible.cfg playbook* site.yml site.yaml Chart.yaml kustomization.* helmfile*",
    "is obeyed by tools that build and deploy",
  ],
  [
    "*.service *.timer *.desktop *.plist *.code-workspace launch.json tasks.json crontab* authorized_keys* known_hosts* sudoers* sshd_config* ssh_config* config gitconfig* hgrc* inputrc bashrc* zshrc* profile netrc* nginx.conf",
    "is obeyed by the system, by editors, ssh or git",
  ],
];

/** Directories whose files are run or loaded, whatever they are called. */
const FOLDERS: NameTable = [
  ["node_modules site-packages dist-packages __pycache__ venv virtualenv vendor gems", "is loaded as code"],
  ["bin sbin libexec Scripts hooks cron.d cron.daily init.d systemd autostart", "is run by other programs"],
];

const RULES = { name: rulesOf(NAMES), folder: rulesOf(FOLDERS) };

/**
 * The reason why nobody else may choose what a new file with this path is made of, to complete "it …". The path is that
 * below a folder that was allowed. Undefined for one that nothing is known to obey. A guard and no proof.
 */
export function riskOfPath(path: string): string | undefined {
  const parts = path.split(/[/\\]/);
  const name = parts.pop() ?? "";
  const folders = parts.map((part) => reasonFor(plain(part), RULES.folder));
  return reasonFor(plain(name), RULES.name) ?? folders.find((reason) => reason !== undefined);
}

/** Systems drop dots and spaces at the end of a name, and what follows a colon. */
function plain(name: string): string {
  return name.replace(/[. ]+$/, "").replace(/:.*$/s, "");
}
