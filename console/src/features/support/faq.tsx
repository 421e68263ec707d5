import { type SupportItem, SupportType } from "@telltale/contract/domains/support";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { EmptyState } from "../../ui/page/message.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import classes from "./faq.module.css";
import { GuideHtml } from "./guide-html.tsx";
import { SupportItems } from "./support-items.tsx";

const Questions = ({ items }: { items: SupportItem[] }): ReactNode => {
  const [subject, ask] = useState<SupportItem>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const open = (item: SupportItem) => {
    ask(item);
    setOpen(true);
  };
  if (items.length === 0) return <EmptyState>There are no questions and answers yet</EmptyState>;
  return (
    <>
      <ol className={classes.questions}>
        {items.map((item, index) => (
          <li key={item.title}>
            <button type="button" aria-haspopup="dialog" onClick={() => open(item)}>
              <span className={classes.number}>{index + 1}</span>
              <span>{item.title}</span>
            </button>
          </li>
        ))}
      </ol>
      <Dialog isOpen={isOpen} onClose={close} title={subject?.title} footer={<Button onClick={close}>Close</Button>}>
        <GuideHtml html={subject?.content ?? ""} />
      </Dialog>
    </>
  );
};

/** Questions by number; the answer opens in a dialog. (spec 2 §2) */
export const Faq = (): ReactNode => (
  <SupportItems type={SupportType.faq}>
    {(items) => (
      <Panel>
        <Questions items={items} />
      </Panel>
    )}
  </SupportItems>
);
