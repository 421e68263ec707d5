import { userStatusLabels } from "@telltale/contract/domains/people/users";
import { choice, days, text } from "../../table/filters/filters.ts";
import { typeLabels } from "./user-types.ts";

const commonFilters = {
  status: choice("activate", userStatusLabels),
  account: text("userEmail"),
  type: choice("roleType", typeLabels),
};

/** Filters of CONFIGURATION-USER. (spec 2 §2) */
export const configureFilters = {
  ...commonFilters,
  phone: text("phone"),
  created: days("createdStartTime", "createdEndTime"),
};
export const configureHeads = {
  status: "STATUS",
  account: "ACCOUNT",
  phone: "PHONE",
  type: "TYPE",
  created: "CREATED",
} as const;

/** Filters of USERS. */
export const userFilters = {
  ...commonFilters,
  name: text("name"),
  login: days("loginStartTime", "loginEndTime"),
};
export const userHeads = {
  status: "STATUS",
  type: "USER TYPE",
  name: "NAME",
  account: "ACCOUNT",
  login: "LAST LOGIN",
} as const;
