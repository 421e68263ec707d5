import type { Random } from "../random.ts";

/** Known problematic texts: boundaries of numbers, dates and encodings, and injections for every language that parses them. */
const oddTexts: readonly string[] = [
  ...["", " ", "0", "-1", "-0", "1", "00", "0x10", "1e3", "1e999", "-1e308", "1e-320", "NaN", "Infinity", "٣", "1_000"],
  ...["2147483647", "2147483648", "-2147483648", "9007199254740993", "18446744073709551616", "0.1", ".", "1,5", "null"],
  ...["true", "undefined", "[object Object]", "__proto__", "constructor", "toString", "hasOwnProperty"],
  ...["0000-01-01", "9999-12-31T23:59:59.999Z", "+275760-09-13", "2026-02-30", "2024-02-29", "1970-01-01", "24:00"],
  ...["2026-01-01T00:00:00+99:99", "2026-13-01T00:00", "-000001-01-01", "2016-12-31T23:59:60Z", "8640000000000001"],
  ...["'", "' OR 1=1 --", "'; DROP TABLE users; --", "%", "_", "\\", "%00", "%zz", "$1", "{}", "[]", "{{7*7}}", "a\tb"],
  ...["=1+1", "+1", "-1+1", "@SUM(A1)", '=HYPERLINK("http://a")', "../../../etc/passwd", "..%2f..%2f", "C:\\a", "/"],
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "\udc00x",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\ufffe",
    "é",
    "ﷺ",
    "𝔘",
    "👩‍👩‍👧‍👦",
    "İ",
    "ß",
    "a\u0301\u0301",
  ],
  ...[
    "a\r\nBcc: b@example.test",
    "a\nb",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:1",
  ],
  ...[
    "http://169.254.169.254/",
    "file:///etc/passwd",
    "//example.test",
    "a@b",
    "a@b.c",
    "UTC",
    "Europe/Berlin",
    "Mars",
  ],
  ...["x".repeat(65), "x".repeat(201), "9".repeat(400), "é".repeat(3000), "(".repeat(2000), "a ".repeat(5000)],
];

/** One of them, or random characters. */
export const oddText = (random: Random): string =>
  random.chance(0.85) ? random.pick(oddTexts) : random.bytes(1 + random.below(40)).toString("latin1");

const oddNumbers: readonly number[] = [
  ...[0, -0, -1, 0.5, 1e15, 1e16, -1e308, 1.7e308, 5e-324, 1e-40, 3.5e38, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 64],
];

const nested = (random: Random): unknown => {
  let value: unknown = oddText(random);
  for (let depth = random.below(60); depth > 0; depth -= 1) value = random.chance(0.5) ? [value] : { a: value };
  return value;
};

/** A value of any JSON type. */
export const oddValue = (random: Random): unknown => {
  const makers = [
    () => oddText(random),
    () => random.pick(oddNumbers),
    () => random.pick([null, true, false]),
    () => [],
    () => Array.from({ length: random.below(6) }, () => oddText(random)),
    () => ({ [oddText(random)]: random.pick(oddNumbers) }),
    () => nested(random),
  ];
  return random.pick(makers)();
};
