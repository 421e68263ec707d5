import { expect, it } from "vitest";
import { initials, initialsOf } from "./initials.ts";

const user = { email: "m.okafor@riverside.example", firstName: "Mary", lastName: "Okafor" };

it("makes initials from the name, or from the e-mail of a user without a name", () => {
  expect(initials(user)).toBe("MO");
  expect(initials({ ...user, lastName: "" })).toBe("M");
  expect(initials({ ...user, firstName: "", lastName: "" })).toBe("M.");
});

it("makes initials from a shown name", () => {
  expect(initialsOf("Tamas Varga")).toBe("TV");
  expect(initialsOf("Ana Maria de Souza")).toBe("AS");
  expect(initialsOf("viewer@telltale.local")).toBe("VI");
  expect(initialsOf("")).toBe("");
});
