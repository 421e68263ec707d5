import { IconDeviceMobileMessage, IconMail, IconPhone, IconWebhook } from "@tabler/icons-react";
import { MessageKind, messageKindLabels } from "@telltale/contract/notification-channels";

const icons: Readonly<Record<MessageKind, typeof IconMail>> = {
  [MessageKind.mail]: IconMail,
  [MessageKind.sms]: IconPhone,
  [MessageKind.webhook]: IconWebhook,
  [MessageKind.push]: IconDeviceMobileMessage,
};

/** The icon of a message's kind. */
export const ContactTypeIcon = ({ type }: { type: MessageKind }) => {
  const TypeIcon = icons[type];
  return <TypeIcon size={16} role="img" aria-label={messageKindLabels[type]} />;
};
