/** The basic character table of GSM 03.38, with which an SMS holds 160 characters. A single other character would halve its length. */
const basic = new Set(
  "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** Replacements that keep the meaning. The degree sign is dropped: "4 C" is as clear as "4 °C". */
const otherwise: Readonly<Record<string, string>> = {
  "°": "",
  µ: "u",
  μ: "u",
  "²": "2",
  "³": "3",
  "–": "-",
  "—": "-",
  "−": "-",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "…": "...",
  "·": ".",
  "×": "x",
  "≥": ">=",
  "≤": "<=",
  "€": "EUR",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
  "|": "/",
  "\\": "/",
  "~": "-",
  "^": "",
  "`": "'",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  œ: "oe",
  Œ: "OE",
};

const written = (character: string): string => {
  if (basic.has(character)) return character;
  const known = otherwise[character];
  if (known !== undefined) return known;
  const plain = character.normalize("NFD").replace(/\p{M}/gu, "");
  return plain !== "" && [...plain].every((part) => basic.has(part)) ? plain : "?";
};

/** Converts a text to GSM characters on one line; characters without a replacement become question marks. */
export const gsm = (text: string): string =>
  [...text.normalize("NFC").replace(/\s+/g, " ").trim()].map(written).join("");

/** A name in GSM characters; `instead` when too little of it would remain, such as of a Cyrillic or Chinese name. */
export const gsmName = (name: string, instead: string): string => {
  const text = gsm(name);
  const lost = [...text].filter((character) => character === "?").length;
  return text === "" || lost * 3 > text.length ? gsm(instead) : text;
};

/** Shortens to at most `length` characters; ends in two dots when cut. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 2).trimEnd()}..`;
