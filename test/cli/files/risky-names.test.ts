import { expect, test } from "bun:test";
import { riskOfPath } from "../../../src/cli/files/risky-names.ts";

const OBEYED = `conftest.py sitecustomize.py usercustomize.py setup.py __init__.py json.py evil.pth pytest.ini setup.cfg
  pyproject.toml requirements.txt requirements-dev.txt Makefile makefile GNUmakefile Makefile.am rules.mk justfile Taskfile.yml
  package.json package-lock.json bunfig.toml deno.json vite.config.ts jest.config.cjs index.js page.html logo.svg deploy.sh
  run.bat profile.ps1 Gemfile Rakefile Vagrantfile composer.json index.php CMakeLists.txt configure meson.build build.rs
  Cargo.toml go.mod main.go build.gradle pom.xml default.nix Dockerfile docker-compose.yml docker-compose.override.yaml
  compose.yaml Jenkinsfile main.tf ansible.cfg AGENTS.md CLAUDE.md agents.MD GEMINI.md mcp.json app.desktop evil.service
  crontab authorized_keys config libevil.so evil.jar node_modules/x/readme site-packages/x.txt bin/tool hooks/pre-commit
  a/b/conftest.py conftest.py. CONFTEST.PY deploy.sh::$DATA`;

const ORDINARY = `secret secret.txt secret.tar secret.bin password token.txt id_ed25519 id_rsa server.pem server.key ca.crt
  store.p12 store.jks prod.env env.production credentials.json service-account.json kubeconfig.yaml secrets.yaml config.yaml
  config.json settings.json terraform.tfvars prod.auto.tfvars application.properties database.yml dump.sql db.sqlite backup.tar.gz
  notes.md README.md report.pdf photo.png licence.lic wg0.conf in/secret secrets/db.txt builds/password my.Makefile.txt
  settings.ini values.csv data.xml wallet.dat vault.kdbx api-key pgpass`;

test("a path that programs obey or run has a reason, and an ordinary one has none", () => {
  for (const path of OBEYED.split(/\s+/)) {
    const reason = riskOfPath(path);
    expect({ path, reason }).toEqual({ path, reason: expect.stringMatching(/^is [a-zA-Z, ]+$/) });
  }
  for (const path of ORDINARY.split(/\s+/)) {
    expect({ path, reason: riskOfPath(path) }).toEqual({ path, reason: undefined });
  }
});
