import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allCalls } from "../all-calls.ts";
import type { Call } from "../call/call.ts";
import { KeyValue } from "../channel-types/keys.ts";
import { namedField, personNameField } from "./text-fields.ts";

const named = namedField("Name cannot be blank");
const person = personNameField("Name cannot be blank");
const errorOf = (field: z.ZodType, text: unknown): string | undefined =>
  field.safeParse(text).error?.issues[0]?.message;

const hidden = {
  "line feed": "\n",
  tab: "\t",
  "carriage return": "\r",
  "next line": "\u0085",
  escape: "\u001b",
  "right-to-left override": "\u202e",
  "right-to-left isolate": "\u2067",
  "zero-width space": "\u200b",
  "zero-width joiner": "\u200d",
  "word joiner": "\u2060",
  "soft hyphen": "\u00ad",
  "line separator": "\u2028",
  "paragraph separator": "\u2029",
  "Hangul filler": "\u3164",
  "tag letter": "\u{e0041}",
};

describe("a name", () => {
  test.each(Object.entries(hidden))("holds no %s", (_, character) => {
    expect(errorOf(named, `Pump${character}house`)).toContain(
      "has to be one line without control or invisible characters",
    );
  });

  test.each(["Wet well level", "Größe № 3 (°C)", "泵站", "Насос", "مضخة", "पंप", "⚠️ Boiler", "http://10.0.0.5 pump"])(
    "may be %s",
    (text) => {
      expect(named.parse(` ${text} `)).toBe(text);
    },
  );
});

describe("a person's name", () => {
  test.each([
    "http://evil.example",
    "Click https://evil.example",
    "www.evil.com",
    "evil.com",
    "Ida evil.io",
    "ida@evil.com",
    "ida＠evil",
    "ｅｖｉｌ．ｃｏｍ",
    "evil。com",
    "пример.рф",
    "ftp://x",
  ])("is not %s", (text) => {
    expect(errorOf(person, text)).toBe("A name can't hold a web or e-mail address. Write a space after a dot");
  });

  test.each(["Ida", "J.R.R. Tolkien", "St. John", "Anne-Marie O'Neil", "Dr. h.c. Rehm", "José Núñez", "李小龙", "Jr."])(
    "may be %s",
    (text) => {
      expect(person.parse(text)).toBe(text);
    },
  );
});

/** Fields of all calls that users type and other people read. */
const typed =
  /^(firstName|lastName|company|industry|firstAlias|alias|plantName|deviceName|channelName|alarmName|name|groupName)$/;
const people = /^(firstName|lastName)$/;

const written = Object.values(allCalls)
  .flatMap((ofDomain) => Object.values(ofDomain as Record<string, Call>))
  .flatMap((call) =>
    Object.entries(call.body?.shape ?? {}).flatMap(([field, schema]) =>
      typed.test(field) ? [[`${call.path} ${field}`, field, schema as z.ZodType] as const] : [],
    ),
  );

test("the check covers fields of many calls", () => {
  expect(written.length).toBeGreaterThan(15);
});

test.each(written)("%s is one line", (_, field, schema) => {
  for (const character of ["\n", "\u202e", "\u200b", "\u2028"])
    expect(z.safeDecode(schema, `Pump${character}house` as never).success).toBe(false);
  if (people.test(field)) expect(z.safeDecode(schema, "www.evil.com" as never).success).toBe(false);
});

test("text settings of a channel are one line, because units go into mails", () => {
  expect(KeyValue.safeParse("m\u202e3").success).toBe(false);
  expect(KeyValue.safeParse("m³/h").success).toBe(true);
  expect(KeyValue.safeParse("").success).toBe(true);
});
