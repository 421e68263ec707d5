import { Message } from "@telltale/contract/codes";
import { useEffect, useRef, useState } from "react";
import classes from "./entry-fields.module.css";
import { EntryText, entryLink } from "./entry-fields.tsx";

interface CodeFieldProps {
  name: string;
  error: boolean;
  onInput: () => void;
  "aria-describedby": string | undefined;
}

/** The second factor: a code of the authenticator app, or one of the codes kept for the day when the app is lost. */
export const CodeField = ({ onInput, ...field }: CodeFieldProps) => {
  const [isRecovery, setRecovery] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another kind of code is typed from the start
  useEffect(() => input.current?.focus(), [isRecovery]);
  const kind = isRecovery
    ? { label: "Recovery code", description: "One of the codes you kept; each works once", autoComplete: "off" }
    : { label: "Code", description: Message.codeNeeded, autoComplete: "one-time-code", inputMode: "numeric" as const };
  return (
    <div className={classes.withLink}>
      <EntryText
        key={kind.label}
        ref={input}
        {...field}
        {...kind}
        onInput={onInput}
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
      />
      <button type="button" className={entryLink} onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? "Use the authenticator app" : "Use a recovery code"}
      </button>
    </div>
  );
};
