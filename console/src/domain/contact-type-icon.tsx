import { IconMail, IconPhone } from "@tabler/icons-react";
import { ContactType, contactTypeLabels } from "@telltale/contract/notification-channels";

const icons: Readonly<Record<ContactType, typeof IconMail>> = {
  [ContactType.mail]: IconMail,
  [ContactType.phone]: IconPhone,
};

/** The icon of a contact's type. */
export const ContactTypeIcon = ({ type }: { type: ContactType }) => {
  const TypeIcon = icons[type];
  return <TypeIcon size={16} role="img" aria-label={contactTypeLabels[type]} />;
};
