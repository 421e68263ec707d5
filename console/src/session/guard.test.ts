import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import type { Permission, Role } from "@telltale/contract/permissions";
import { describe, expect, it } from "vitest";
import { needsOnboarding, redirectFor } from "./guard.ts";

const user = (roleType: Role, isAdmin = false): UserInfo => ({
  token: "t",
  userId: 1,
  email: "u@example.com",
  firstName: "",
  lastName: "",
  company: "",
  industry: "",
  cellNumber: "",
  quietHours: null,
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
  activeIndex: 0,
  telltaleSnId: "",
});

/** Permissions by role 1 to 5. (spec 1 §6) */
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
      redirectFor(user(role), needs as Permission) === undefined ? "yes" : "no",
    );
    expect(opened.join(" ")).toBe(expected);
  });

  it("sends an installer to the alerts and every other role to the dashboard", () => {
    expect(redirectFor(user(4), "dashboard.read")).toBe("/alarms");
    expect(redirectFor(user(3), "sms.read")).toBe("/");
    expect(redirectFor(user(5), "devices.list")).toBe("/");
  });

  it("never redirects to a page that the role may not open, which would loop", () => {
    for (const role of [1, 2, 3, 4, 5] as const)
      for (const isAdmin of [false, true])
        expect(redirectFor(user(role, isAdmin), role === 4 ? "alerts.read" : "dashboard.read")).toBeUndefined();
  });
});

it("requires onboarding of a new user, never of a support view", () => {
  expect(needsOnboarding({ ...user(1), hasInfo: false })).toBe(true);
  expect(needsOnboarding({ ...user(1, true), hasInfo: false })).toBe(false);
  expect(needsOnboarding(user(1))).toBe(false);
});
