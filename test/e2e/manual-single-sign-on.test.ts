import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { startHostileProvider } from "../support/hostile-providers.ts";
import { openMachine } from "../support/machines.ts";
import { manualBlock } from "../support/manual.ts";

test("with the lines of 'single-sign-on' a server knows the provider, and the check says what to enter there", async () => {
  await using machine = await openMachine();
  await using provider = await startHostileProvider();
  machine.build();
  await machine.must(manualBlock("install", "install -m 755"));
  await machine.must(manualBlock("people-and-keys", "admin team create"));
  const secret = manualBlock("single-sign-on", "/dev/stdin").trim();
  await machine.must(`echo "${provider.clientSecret}" | ${secret}`);
  expect(statSync(machine.place("etc/handoff/oidc-secret")).mode & 0o777).toBe(0o600);
  // As systemd reads it beside the unit.
  const unit = machine.place("etc/systemd/system/handoff.service");
  const dropIn = manualBlock("single-sign-on", "LoadCredential", "ini").replace("[Service]\n", "");
  writeFileSync(unit, readFileSync(unit, "utf8").replace("DynamicUser=yes\n", `DynamicUser=yes\n${dropIn}`));
  const settings = manualBlock("single-sign-on", "HANDOFF_OIDC_ISSUER", "ini")
    .replace("https://login.example/realms/acme", provider.issuer)
    .replaceAll(/=(.*)$/gm, "='$1'");
  await machine.must(`cat >> /etc/handoff/env <<'END'\n${settings}END`);
  const { stdout } = await machine.paste(manualBlock("single-sign-on", "admin check"));
  expect(stdout).toMatch(/^ok +settings /m);
  expect(stdout).toContain(`${provider.issuer} answers.`);
  expect(stdout).toContain("the redirect URI of this server has to be https://handoff.example/sign-in.");
  const asked = await fetch(`${machine.url}/app/session/oidc`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: '{"silent":false}',
  });
  const { url } = (await asked.json()) as { readonly url: string };
  expect(new URL(url).searchParams.get("redirect_uri")).toBe("https://handoff.example/sign-in");
}, 60_000);
