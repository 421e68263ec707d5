import { Role } from "@telltale/contract/permissions";
import { expect, it } from "vitest";
import { accountName, inviter } from "./account-text.ts";

const account = {
  accountId: 1,
  accountNo: "1000517",
  alias: "Hillside Cold Storage",
  firstAlias: "",
  roleName: "Device manager",
  roleType: Role.deviceManager,
  userId: 9,
  isShow: 0,
  parentAccountId: 2,
  createdBy: "j.lind@hillside.example",
};
it("names an account by role and alias, and by its number where it has no alias", () => {
  expect(accountName(account)).toBe("Device manager · Hillside Cold Storage");
  expect(accountName({ ...account, alias: "" })).toBe("Device manager · 1000517");
});

it("names the inviting user, and does not repeat the number", () => {
  expect(inviter(account)).toBe("1000517, invited by j.lind@hillside.example");
  expect(inviter({ ...account, alias: "" })).toBe("Invited by j.lind@hillside.example");
  expect(inviter({ ...account, createdBy: "" })).toBe("1000517");
});
