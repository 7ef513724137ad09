/** Extensions of what programs read as data, and what keys, certificates, encrypted files and archives are called. */
const DATA = new Set(
  `pem key crt cer der csr crl p7b p8 p12 pfx jks jceks bks keystore truststore kdb kdbx psafe3 ppk pub gpg pgp asc sig age jwk jwks
  secret token password passwd pin tar gz tgz bz2 xz zst zip 7z bin dat csv pdf png jpg jpeg`.split(/\s+/),
);

/**
 * The ends of names of secrets; a number may follow. With the extensions `LOOSE` no other name is taken: there are some
 * that programs obey, and more of them every year, such as requirements.txt, package.json and Makefile.
 */
const SECRET =
  /(^|[^a-z0-9])(secret|password|passphrase|token|key|credential|service[-_]?account|pin|pgpass)s?([-_.]?\d+)?$/;
const LOOSE: ReadonlySet<string | undefined> = new Set([undefined, "txt", "json"]);
const SSH_KEY = /^id_(rsa|ecdsa|ed25519)(_sk)?$/;
/** Names that end like those of secrets, and are obeyed. */
const OBEYED = /^(authorized[-_]?keys|trusted[-_.]?keys?)\d*$/;

/** Directories whose files are run or loaded, whatever they are called. */
const FOLDERS =
  /^(node_modules|site-packages|dist-packages|__pycache__|venv|virtualenv|vendor|gems|bin|sbin|libexec|scripts|hooks|systemd|autostart|cron\.(hourly|daily|weekly|monthly)|.*\.d)$/;

/**
 * The reason why nobody else may choose what a new file with this path is made of, to complete "it …". The path is that
 * below a folder that was allowed. Undefined for one with a name that only data has.
 */
export function riskOfPath(path: string): string | undefined {
  const folders = path.split(/[/\\]/).map(plain);
  const name = folders.pop() ?? "";
  if (folders.some((each) => FOLDERS.test(each))) return "can be run or loaded as code";
  return isNameOfData(name) ? undefined : "can be obeyed or run by programs";
}

function isNameOfData(name: string): boolean {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
  if (extension !== undefined && DATA.has(extension)) return true;
  if (!LOOSE.has(extension) || OBEYED.test(stem)) return false;
  return SECRET.test(stem) || (extension === undefined && SSH_KEY.test(stem));
}

/** A name as systems that take several spellings for one compare it: they drop what follows a colon, and dots at the end. */
function plain(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}
