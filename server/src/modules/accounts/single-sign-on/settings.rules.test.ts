import { Role } from "@telltale/contract/permissions";
import { expect, test } from "vitest";
import { roleOfGroups, signOnVariables } from "./settings.rules.ts";

const { OIDC_ROLES, OIDC_ISSUER, OIDC_SCOPE } = signOnVariables;

test.each([
  ["plant-admins=admin", [{ group: "plant-admins", role: Role.admin }]],
  [
    " plant-admins = admin , *=viewer,",
    [
      { group: "plant-admins", role: Role.admin },
      { group: "*", role: Role.viewer },
    ],
  ],
  ["cn=duty,ou=plant=manager;", [{ group: "cn=duty,ou=plant", role: Role.deviceManager }]],
])("OIDC_ROLES %s is read", (text, roles) => {
  expect(OIDC_ROLES.schema.parse(text)).toEqual(roles);
});

test.each(["admins", "admins=", "=admin", "admins=root", "a=admin,b=chief"])("OIDC_ROLES %s is refused", (text) => {
  expect(OIDC_ROLES.schema.safeParse(text).success).toBe(false);
});

test("the highest role of a person's groups counts; * is everybody's", () => {
  const roles = [
    { group: "*", role: Role.viewer },
    { group: "fitters", role: Role.installer },
    { group: "plant-admins", role: Role.admin },
  ];
  expect(roleOfGroups(roles, ["fitters", "plant-admins"])).toBe(Role.admin);
  expect(roleOfGroups(roles, [])).toBe(Role.viewer);
  expect(roleOfGroups(roles.slice(1), ["others"])).toBeUndefined();
});

test.each([
  ["https://login.example.com/realms/plant", true],
  ["http://localhost:9000", true],
  ["http://127.0.0.1:9000/", true],
  ["http://login.example.com", false],
  ["https://login.example.com?x=1", false],
  ["login.example.com", false],
])("OIDC_ISSUER %s is valid: %s", (text, isValid) => {
  expect(OIDC_ISSUER.schema.safeParse(text).success).toBe(isValid);
});

test("OIDC_SCOPE keeps what the sign-in needs", () => {
  expect(OIDC_SCOPE.schema.safeParse("openid profile").success).toBe(false);
  expect(OIDC_SCOPE.schema.parse(undefined)).toBe("openid email profile");
});
