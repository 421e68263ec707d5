import { IconCopy, IconDownload } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { inform, warn } from "../../../ui/dialog/messages.ts";
import classes from "./second-factor.module.css";
import { Steps } from "./steps.tsx";

/** Lets the browser save a text file. */
const saveText = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};

const copy = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    inform("Recovery codes copied");
  } catch {
    warn("The browser does not allow copying: download the codes");
  }
};

interface RecoveryCodesProps {
  codes: readonly string[];
  /** Whether this is the last step of turning two-step sign-in on. */
  isLastStep: boolean;
  onDone: () => void;
}

/** The recovery codes; they cannot be shown again. */
export const RecoveryCodes = ({ codes, isLastStep, onDone }: RecoveryCodesProps) => {
  const { email } = useSession().user;
  const text = `Telltale recovery codes of ${email}\nEach works once.\n\n${codes.join("\n")}\n`;
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <section>
      {isLastStep && <Steps current={2} />}
      <h2 ref={head} className={classes.head} tabIndex={-1}>
        Recovery codes
      </h2>
      <p className={classes.text}>
        Each signs you in once when your authenticator app is out of reach. Keep them somewhere safe: they are not shown
        again.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.actions}>
        {/* The clipboard exists only in secure contexts. */}
        {"clipboard" in navigator && (
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy(text)}>
            Copy
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveText("telltale-recovery-codes.txt", text)}
        >
          Download
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </section>
  );
};
