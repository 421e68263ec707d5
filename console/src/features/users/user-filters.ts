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

/** Filters of USERS. */
export const userFilters = {
  ...commonFilters,
  name: text("name"),
  login: days("loginStartTime", "loginEndTime"),
};
