import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a certificate for localhost that nobody vouches for, and its key, in `folder`. It is for `more` too. */
export function makeCertificate(
  folder: string,
  ...more: readonly string[]
): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = [
    "-subj",
    "/CN=localhost",
    "-addext",
    `subjectAltName=${["DNS:localhost", "IP:127.0.0.1", ...more.map((name) => `DNS:${name}`)].join(",")}`,
  ];
  const made = Bun.spawnSync(
    [
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      ...subject,
      "-keyout",
      key,
      "-out",
      cert,
    ],
    { stderr: "ignore" },
  );
  if (!made.success) throw new Error("openssl made no certificate");
  return { cert, key };
}

/** The same, valid between two times such as `20200101000000Z` alone. */
export function makeDatedCertificate(folder: string, from: string, to: string): { cert: string; key: string } {
  const { key } = makeCertificate(folder);
  const [cert, asked, config] = ["dated.pem", "asked.pem", "ca.conf"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(join(folder, "index"), "");
  writeFileSync(
    config,
    `[ca]\ndefault_ca=here\n[here]\ndatabase=${folder}/index\nserial=${folder}/serial\nnew_certs_dir=${folder}\ndefault_md=sha256\npolicy=names\n[names]\ncommonName=supplied\n`,
  );
  for (const command of [
    ["req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", asked],
    ["ca", "-config", config, "-batch", "-selfsign", "-create_serial", "-notext", "-keyfile", key].concat([
      "-in",
      asked,
      "-startdate",
      from,
      "-enddate",
      to,
      "-out",
      cert,
    ]),
  ]) {
    const { success, stderr } = Bun.spawnSync(["openssl", ...command]);
    if (!success) throw new Error(`openssl made no certificate: ${stderr.toString()}`);
  }
  return { cert, key };
}

/** Makes a certificate for `name` and a CA of its own that vouches for it, in `folder`. */
export function makeVouchedCertificate(folder: string, name: string): { ca: string; cert: string; key: string } {
  const [caKey, asked] = [join(folder, "ca.key"), join(folder, "vouched.csr")];
  const [ca, cert, key] = ["ca.pem", "vouched.pem", "vouched.key"].map((each) => join(folder, each)) as [
    string,
    string,
    string,
  ];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-addext", `subjectAltName=DNS:${name}`];
  for (const command of [
    ["req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=a CA of tests", "-keyout", caKey, "-out", ca],
    ["req", ...newKey, "-subj", `/CN=${name}`, ...names, "-keyout", key, "-out", asked],
    ["x509", "-req", "-in", asked, "-copy_extensions", "copy", "-days", "2", "-CA", ca, "-CAkey", caKey, "-out", cert],
  ]) {
    const { success, stderr } = Bun.spawnSync(["openssl", ...command]);
    if (!success) throw new Error(`openssl made no certificate: ${stderr.toString()}`);
  }
  return { ca, cert, key };
}
