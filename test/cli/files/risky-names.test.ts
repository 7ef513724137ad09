import { expect, test } from "bun:test";
import { isHidden, riskOfPath } from "../../../src/cli/files/risky-names.ts";

const OBEYED = `conftest.py sitecustomize.py usercustomize.py setup.py __init__.py json.py evil.pth pytest.ini setup.cfg
  pyproject.toml requirements.txt requirements-dev.txt Makefile makefile GNUmakefile Makefile.am rules.mk justfile Taskfile.yml
  package.json package-lock.json bunfig.toml deno.json vite.config.ts jest.config.cjs index.js page.html logo.svg deploy.sh
  run.bat profile.ps1 Gemfile Rakefile Vagrantfile composer.json index.php CMakeLists.txt configure meson.build build.rs
  Cargo.toml go.mod main.go build.gradle pom.xml default.nix Dockerfile docker-compose.yml docker-compose.override.yaml
  compose.yaml Jenkinsfile main.tf ansible.cfg AGENTS.md CLAUDE.md agents.MD GEMINI.md mcp.json app.desktop evil.service
  crontab authorized_keys config libevil.so evil.jar node_modules/x/readme site-packages/x.txt bin/tool hooks/pre-commit
  a/b/conftest.py conftest.py. CONFTEST.PY deploy.sh::$DATA
  pylintrc nodemon.json Caddyfile latexmkrc cdk.json firebase.json tauri.conf.json supervisord.conf circus.ini uwsgi.ini mkdocs.yml
  mypy.ini pants.toml pixi.toml devbox.json mise.toml Trunk.toml hie.yaml cpanfile Rexfile config.nims x.nimble x.rockspec dub.json
  dub.sdl shard.yml Jakefile Cakefile PKGBUILD APKBUILD x.spec x.do startup.m artisan phpunit.xml DEPS BUILD.gn Kbuild inventory
  hosts tslint.json cypress.json angular.json project.json workspace.json x.sublime-project x.pkr.hcl x.tfvars opencode.json
  AGENT.md QWEN.md MEMORY.md README.md kubeconfig.yaml prod.env wg0.conf dev-requirements.txt llms.txt
  authorized_keys2 authorized_keys.txt Authorized_Keys ｐackage.json Makefile． conftest.ｐｙ pre-commit.d/x.key Scripts/x.pem
  x.key.sh secret.py HEAD config packed-refs repo.git/x.txt tsconfig.base.json jsconfig.json compose.override.yaml docker-compose.prod.yml
  claude.local.md agents-local.md copilot-instructions.md review.prompt.md x.mdc project.code-workspace Dockerfile.dev dev.Dockerfile
  Containerfile Procfile Brewfile eslintrc.json _netrc npmrc pylintrc tox.ini alembic.ini x.env terraform.tfvars.json x.auto.tfvars.json
  kustomization.yaml values.yaml Chart.yaml pnpm-workspace.yaml yarn.lock Directory.Build.props nuget.config web.config global.json
  group_vars/all.txt skills/x/notes.md plugins/x.json vendor/x.txt x.dist-info/entry_points.txt cron.daily/x user-data wpad.dat
  x.docm x.ovpn x.plist x.lnk evil.vbs gradle.properties pip.conf my.cnf log4j2.xml php.ini tauri.conf.json vite.config.json
  PACKAGE.JSON Package.json... ｍakefile requirements.in constraints.txt config.toml kubeconfig-prod.yml agents.txt AGENTS runtime.txt CMakePresets.json known_hosts
  bun.lockb phpunit.xml.dist phpunit.dist.xml mise.local.toml cabal.project cabal.project.local Directory.Build.rsp MSBuild.rsp x.latexmkrc rebar.config
  book.toml hatch.toml buf.gen.yaml platformio.ini process-compose.yaml foundry.toml moon.yml grumphp.yml sgconfig.yml dbt_project.yml SOUL.md IDENTITY.md
  USER.md TOOLS.md HEARTBEAT.md BOOTSTRAP.md replit.md mcp_config.json phpstan.neon.dist settings.gradle node_modules／x`;

const ORDINARY = `secret secret.txt secret.tar secret.bin password token.txt id_ed25519 id_ed25519.pub id_rsa server.pem server.key
  ca.crt store.p12 store.jks credentials.json service-account.json my-service-account-key.json secrets.json backup.tar.gz
  db-password.txt db_password.txt api-key api_key.txt api-key-2.txt vault.kdbx dump.gpg note.age key.asc jwks.jwk report.pdf
  photo.png values.csv wallet.dat in/secret secrets/db-password.txt builds/password SERVER.PEM Secret.TXT ｓecret.txt
  notes.txt config.json got.txt got notes.md keys.yaml monkey turnkey.json data.xml settings.json out.log report.html.gz answer dump.sqlite
  users.tsv licence.lic keyfile passfile.txt response.json credentials.yaml database.ini export.toml invoice-2026.json minutes.docx table.xlsx
  profile.txt mailbox.eml calendar.ics contact.vcf firmware.hex backup.tar.zst sub/folder/list.txt database-url.txt hosts.csv agentsmith.txt
  agent.key agent-token.txt claude-api-key.txt gemini-credentials.json mcp-token mcp-token.txt compose-password.txt memory-dump.bin agent-key
  values.txt main.txt proxy.txt environment.txt readme.txt memory.json agent.json template web app package main index.txt site.txt`;

test("a name that programs obey has a reason, and any other has none", () => {
  for (const path of [...OBEYED.split(/\s+/), "package.json ", "Makefile. .", "bin /tool", "hooks./x"]) {
    const reason = riskOfPath(path);
    expect({ path, reason }).toEqual({
      path,
      reason: expect.stringMatching(/^can be (obeyed or run by programs|run or loaded as code)$/),
    });
  }
  for (const path of ORDINARY.split(/\s+/)) {
    expect({ path, reason: riskOfPath(path) }).toEqual({ path, reason: undefined });
  }
});

test("a name that commands take for an option is refused, also in a folder", () => {
  for (const path of ["--checkpoint-action=exec=sh x", "-rf", "in/-x.txt", "-in/x.txt", "\uFF0Drf"]) {
    expect({ path, reason: riskOfPath(path) }).toEqual({ path, reason: "can be taken for an option of a command" });
  }
  for (const path of ["a-b", "in/x-", "_-rf"]) expect(riskOfPath(path)).toBeUndefined();
});

test("a name with characters that can't be seen is refused, and one whose first character becomes a dot is hidden", () => {
  for (const code of [
    0xfe00, 0xfe0e, 0xfe0f, 0xe0100, 0x34f, 0x17b4, 0x17b5, 0x3164, 0xffa0, 0x115f, 0x1160, 0x180b, 0x2800, 0x2028,
    0x2029, 0x200d, 0x202e,
  ]) {
    const unseen = String.fromCodePoint(code);
    expect(riskOfPath(`notes${unseen}.txt`)).toContain("can't be seen");
    expect({ code, isHidden: isHidden(`a/${unseen}.npmrc`) }).toEqual({
      code,
      isHidden: code !== 0x2028 && code !== 0x2029,
    });
  }
  for (const name of ["☎\ufe0f.txt", "1\ufe0f\u20e3.txt", "日本.txt"]) expect(riskOfPath(name)).toBeUndefined();
  for (const name of ["．npmrc", "․npmrc", "﹒npmrc", "．git/x", "a／.x"]) expect(isHidden(name)).toBe(true);
  for (const name of ["notes.txt", "a/b.c"]) expect(isHidden(name)).toBe(false);
});
