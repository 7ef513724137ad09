/** A line of a text that is made of nothing but such lines: a name, and what it stands for. */
export interface NamedLine {
  readonly name: string;
  /** Without the spaces around it. */
  readonly value: string;
  /** True when the name says that the value is a password or the like, which is shown on demand only. */
  readonly isSecret: boolean;
}

/** More lines than anybody copies one by one, and a longer text than has only such lines. */
const MAX_LINES = 50;
const MAX_CHARACTERS = 20_000;

/** A name of a few words, a sign, and something behind it. The wide colon is that of Japanese. */
const LINE = /^(?:export )?([\p{L}_][\p{L}\p{M}\p{N} _.()/'’-]{0,39}?)[ \t\u00A0\u202F]{0,10}([:=：])(.+)$/u;
/** A value that belongs to something larger: an address behind its scheme, a path, the beginning of a list or a block. */
const OF_SOMETHING_LARGER = /^(?:\/\/|\\|[[{|>][-+]?$|[[{].*[,:]|=*$)/;
/** An address with a password in it. */
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]{0,200}:[^/\s@]+@/i;

/** Parts of a name that mean something to be hidden wherever they stand, and words that do so only alone. */
const TELLING_PARTS =
  "password passwort passwd passphrase passcode kennwort secret geheim token apikey privatekey credential mnemonic recoverycode backupcode " +
  "motdepasse contraseña senha segredo schlüssel パスワード 暗証番号 秘密 パスフレーズ トークン apiキー 鍵";
const TELLING_WORDS = "pass pw pwd psk key pin puk cvv cvc otp totp seed pat clé mdp clave chave キー";
/** Words by which a key is told from one that is secret. */
const HARMLESS_WORDS = "public öffentlich öffentlicher publique pública pubkey id";

const parts = wordsOf(TELLING_PARTS);
const words = new Set(wordsOf(TELLING_WORDS));
const harmless = new Set(wordsOf(HARMLESS_WORDS));

/** The lines of a text with only `name: value` or `NAME=value` lines; undefined for others, such as JSON or PEM. */
export function findNamedLines(text: string): readonly NamedLine[] | undefined {
  if (text.length > MAX_CHARACTERS || text.includes("-----BEGIN ")) return undefined;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2 || lines.length > MAX_LINES) return undefined;
  const named = lines.map(toNamedLine);
  return named.every((line) => line !== undefined) ? named : undefined;
}

/** The line; undefined when it has no such shape. One that begins with a space belongs to what is above it. */
function toNamedLine(line: string): NamedLine | undefined {
  const [, name, sign, rest = ""] = LINE.exec(line) ?? [];
  const value = rest.trim();
  if (name === undefined || value === "" || OF_SOMETHING_LARGER.test(value)) return undefined;
  // A time of day, and not a name.
  if (sign === ":" && /\p{N}$/u.test(name) && /^\p{N}/u.test(rest)) return undefined;
  return { name, value, isSecret: isSecretName(name) || WITH_PASSWORD.test(value) };
}

/** True when a name is that of a password, a key or the like, in any of the languages of the page. */
export function isSecretName(name: string): boolean {
  const spaced = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const own = wordsOf(spaced);
  const joined = own.join("");
  if (own.some((word) => harmless.has(word)) && !own.some((word) => isTellingPart(word))) return false;
  return isTellingPart(joined) || own.some((word) => words.has(word));
}

function isTellingPart(text: string): boolean {
  return parts.some((part) => text.includes(part));
}

/** The words of a text, without accents and capitals. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[^\p{L}]+/u).filter((word) => word !== "");
}
