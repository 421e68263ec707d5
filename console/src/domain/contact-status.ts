import { ContactStatus, contactStatusLabels } from "@telltale/contract/domains/people/contacts";
import type { StatusLook } from "../ui/status/status-label.tsx";

const { pending, verified, refused } = ContactStatus;

/** How a contact's consent is shown. Red is reserved for equipment. */
const looks: Readonly<Record<ContactStatus, StatusLook>> = {
  [pending]: { label: contactStatusLabels[pending], glyph: "clock", tone: "inactive" },
  [verified]: { label: contactStatusLabels[verified], glyph: "ring-tick", tone: "plain" },
  [refused]: { label: contactStatusLabels[refused], glyph: "ring-x", tone: "strong" },
};

export const contactLook = (status: ContactStatus): StatusLook => looks[status];

/** The legend of the contacts. (spec 2 §2) */
export const contactMeanings = [
  [contactLook(pending), "has been asked and has not answered"],
  [contactLook(verified), "receives alerts"],
  [contactLook(refused), "does not want alerts"],
] as const;
