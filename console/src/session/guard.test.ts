import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import type { Permission, Role } from "@telltale/contract/permissions";
import { describe, expect, it } from "vitest";
import { detour, isStranger } from "./guard.ts";

const user = (roleType: Role, isAdmin = false): UserInfo => ({
  token: "t",
  userId: 1,
  email: "u@example.com",
  firstName: "",
  lastName: "",
  company: "",
  industry: "",
  cellNumber: "",
  avatar: null,
  hasInfo: true,
  isAdmin,
  accounts: [
    {
      accountId: 1,
      accountNo: "1",
      alias: "",
      firstAlias: "",
      roleName: "",
      roleType,
      userId: 1,
      isShow: 1,
      parentAccountId: null,
      createdBy: "",
    },
  ],
});

/** Who may open what, by role 1 to 5. (spec 1 §6) */
const menu: Partial<Record<Permission, string>> = {
  "dashboard.read": "yes yes yes no yes",
  "alerts.read": "yes yes yes yes yes",
  "devices.list": "yes yes yes yes no",
  "users.read": "yes yes no no no",
  "configuration.read": "yes yes yes yes no",
  "sms.read": "yes yes no no no",
  "support.read": "yes yes yes yes yes",
};

describe("the guard of the pages", () => {
  it.each(Object.entries(menu))("opens %s to the roles of the menu table", (needs, expected) => {
    const opened = ([1, 2, 3, 4, 5] as const).map((role) =>
      detour(user(role), needs as Permission) === undefined ? "yes" : "no",
    );
    expect(opened.join(" ")).toBe(expected);
  });

  it("sends an installer to the alerts and everybody else to the dashboard", () => {
    expect(detour(user(4), "dashboard.read")).toBe("/alarms");
    expect(detour(user(3), "sms.read")).toBe("/");
    expect(detour(user(5), "devices.list")).toBe("/");
  });

  it("never sends anybody to a page that the role does not open, which would go in circles", () => {
    for (const role of [1, 2, 3, 4, 5] as const)
      for (const isAdmin of [false, true])
        expect(detour(user(role, isAdmin), role === 4 ? "alerts.read" : "dashboard.read")).toBeUndefined();
  });
});

it("asks a new user for the first answers, and never a support view", () => {
  expect(isStranger({ ...user(1), hasInfo: false })).toBe(true);
  expect(isStranger({ ...user(1, true), hasInfo: false })).toBe(false);
  expect(isStranger(user(1))).toBe(false);
});
