/** A line of the form name and value, in a text that has only such lines. */
export interface NamedLine {
  readonly name: string;
  /** Trimmed. */
  readonly value: string;
  /** True when the name marks the value as a password or the like, which is hidden at first. */
  readonly isSecret: boolean;
}

/** More lines than people copy one by one, and a longer text than such lines make. */
const MAX_LINES = 50;
const MAX_CHARACTERS = 20_000;

/** A name of a few words, a separator, and a value. Japanese uses the wide colon. */
const LINE = /^(?:export )?([\p{L}_][\p{L}\p{M}\p{N} _.()/'’-]{0,39}?)[ \t\u00A0\u202F]{0,10}([:=：])(.+)$/u;
/** A value that is part of a larger structure: an address without its scheme, a path, the start of a list or block. */
const OF_SOMETHING_LARGER = /^(?:\/\/|\\|[[{|>][-+]?$|[[{].*[,:]|=*$)/;
/** An address that contains a password. */
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]{0,200}:[^/\s@]+@/i;

/** Parts of a name that mark a secret anywhere, and words that do so only as whole words. */
const TELLING_PARTS =
  "password passwort passwd passphrase passcode kennwort secret geheim token apikey privatekey credential mnemonic recoverycode backupcode " +
  "motdepasse phrasedepasse jeton contraseña senha segredo segreto segreta paroladordine schlüssel wachtwoord wachtzin " +
  "privésleutel toegangscode pincode herstelcode koddostępu kodzapasowy kodyzapasowe パスワード 暗証番号 秘密 " +
  "パスフレーズ トークン apiキー 鍵 كلمةالمرور كلمةمرور كلمةالسر كلمةسر عبارةالمرور عبارةمرور رمزالمرور رمزالدخول رمزالتحقق رمزالوصول رمزapi باسورد باسوورد";
const TELLING_WORDS =
  "pass pw pwd psk key pin puk cvv cvc otp totp seed pat clé mdp clave chave chiave sleutel hasło haslo hasła hasla " +
  "fraza klucz klucza klucze sekret tajne tajny キー سر السر سري السري سرية السرية مفتاح المفتاح توكن";
/** Words that mark a key as public. */
const HARMLESS_WORDS =
  "public öffentlich öffentlicher publique pública pubblica openbare publieke publiczny pubkey id عام العام معرف المعرف";

const parts = wordsOf(TELLING_PARTS);
const words = new Set(wordsOf(TELLING_WORDS));
const harmless = new Set(wordsOf(HARMLESS_WORDS));

/**
 * Returns the lines of a text in which each line is `name: value` or `NAME=value`, so that each can be copied.
 * Undefined for other texts: fewer than two lines, addresses, JSON, nested YAML, PEM, or too many lines.
 */
export function findNamedLines(text: string): readonly NamedLine[] | undefined {
  if (text.length > MAX_CHARACTERS || text.includes("-----BEGIN ")) return undefined;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2 || lines.length > MAX_LINES) return undefined;
  const named = lines.map(toNamedLine);
  return named.every((line) => line !== undefined) ? named : undefined;
}

/** Parses a line; undefined when it does not match. An indented line belongs to the one above it. */
function toNamedLine(line: string): NamedLine | undefined {
  const [, name, sign, rest = ""] = LINE.exec(line) ?? [];
  const value = rest.trim();
  if (name === undefined || value === "" || OF_SOMETHING_LARGER.test(value)) return undefined;
  // A time of day is not a name.
  if (sign === ":" && /\p{N}$/u.test(name) && /^\p{N}/u.test(rest)) return undefined;
  return { name, value, isSecret: isSecretName(name) || WITH_PASSWORD.test(value) };
}

/** True when a name means a password, key or the like, in any language of the page. */
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

/** The words of a text, in lower case and without accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[^\p{L}]+/u).filter((word) => word !== "");
}
