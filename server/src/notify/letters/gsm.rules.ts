/** What one SMS of 160 characters can hold: the basic table of GSM 03.38. A single other character would halve its length. */
const basic = new Set(
  "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** Written otherwise where that says the same. The degree sign goes: "4 °C" is read as well as "4 C". */
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

/** A text in the characters of an SMS, on one line; what none of them stands for becomes a question mark. */
export const gsm = (text: string): string =>
  [...text.normalize("NFC").replace(/\s+/g, " ").trim()].map(written).join("");

/** A name as an SMS can write it; `instead` when little of it would be left, as of one in Cyrillic or Chinese. */
export const gsmName = (name: string, instead: string): string => {
  const text = gsm(name);
  const lost = [...text].filter((character) => character === "?").length;
  return text === "" || lost * 3 > text.length ? gsm(instead) : text;
};

/** At most `length` characters, the last of them dots where something is left out. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 2).trimEnd()}..`;
