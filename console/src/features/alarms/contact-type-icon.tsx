import { IconMail, IconPhone } from "@tabler/icons-react";
import { ContactType, contactTypeLabels } from "@telltale/contract/domains/people/contacts";

/** Icon for an e-mail or phone contact. */
export const ContactTypeIcon = ({ type }: { type: ContactType }) => {
  const TypeIcon = type === ContactType.phone ? IconPhone : IconMail;
  return <TypeIcon size={16} role="img" aria-label={contactTypeLabels[type]} />;
};
