import { expect, test } from "vitest";
import { ContactType } from "../../notification-channels.ts";
import { contacts } from "./contacts.ts";

/** As a form sends it: all values are texts. */
const messagesOf = (type: string | undefined, contactInfo: string): string[] => {
  const person = { firstName: "Nora", lastName: "Quist" };
  return (contacts.add.body?.safeParse({ ...person, type, contactInfo })?.error?.issues ?? []).map(
    ({ message }) => message,
  );
};

test("a contact's address is validated by its type, and an unknown type is refused by name, whatever it is called", () => {
  expect(messagesOf(String(ContactType.mail), "nora@example.com")).toEqual([]);
  expect(messagesOf(String(ContactType.mail), "12025550141")).toEqual(["Enter the correct email address"]);
  expect(messagesOf(String(ContactType.phone), "12025550141")).toEqual([]);
  expect(messagesOf(String(ContactType.phone), "nora@example.com")).toEqual(["Enter the correct phone number"]);
  for (const type of ["constructor", "__proto__", "toString", "3", undefined])
    expect(messagesOf(type, "nora@example.com"), String(type)).toEqual(["Choose Email or Phone"]);
});
