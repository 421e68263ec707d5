import { expect, it } from "vitest";
import { initials } from "./initials.ts";

const user = { email: "m.okafor@riverside.example", firstName: "Mary", lastName: "Okafor" };

it("makes initials of the name, or of the e-mail of somebody who gave none", () => {
  expect(initials(user)).toBe("MO");
  expect(initials({ ...user, lastName: "" })).toBe("M");
  expect(initials({ ...user, firstName: "", lastName: "" })).toBe("M.");
});
