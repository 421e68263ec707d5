import { contactStatusLabels } from "@telltale/contract/domains/people/contacts";
import { contactTypeLabels } from "@telltale/contract/notification-channels";
import { choice } from "../../table/filters/filters.ts";

/** Filters of the contacts. (spec 2 §2) */
export const contactFilters = {
  status: choice("status", contactStatusLabels),
  type: choice("type", contactTypeLabels),
};
