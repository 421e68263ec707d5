import { IconMail, IconPhone } from "@tabler/icons-react";
import { type SupportItem, SupportType } from "@telltale/contract/domains/support";
import type { ReactNode } from "react";
import { Panel } from "../../ui/page/panel.tsx";
import classes from "./contact.module.css";
import { NotSet } from "./not-set.tsx";
import { SupportItems } from "./support-items.tsx";

const Entry = ({ title, content, phone, email }: SupportItem): ReactNode => (
  <li>
    {phone ? <IconPhone size={20} aria-hidden /> : <IconMail size={20} aria-hidden />}
    <div>
      <b>{title}</b>
      {phone && <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>}
      {email && <a href={`mailto:${email}`}>{email}</a>}
      {content && <p>{content}</p>}
    </div>
  </li>
);

/** The operator's contact details. (spec 2 §2) */
export const Contact = (): ReactNode => (
  <SupportItems type={SupportType.contact}>
    {(items) => (
      <Panel>
        {items.length > 0 ? (
          <ul className={classes.entries}>
            {items.map((item) => (
              <Entry key={item.title} {...item} />
            ))}
          </ul>
        ) : (
          <NotSet
            what="No phone number and no mail address for support have been set."
            variables={["SUPPORT_PHONE", "SUPPORT_EMAIL", "SUPPORT_HOURS"]}
          />
        )}
      </Panel>
    )}
  </SupportItems>
);
