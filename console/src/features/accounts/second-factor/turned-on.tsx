import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { counted } from "@telltale/contract/text/counted";
import { useState } from "react";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import classes from "./second-factor.module.css";

const left = (codes: number): string =>
  codes === 0 ? "No recovery codes are left." : `${counted(codes, "recovery code is", "recovery codes are")} left.`;

/** With this many recovery codes or fewer, creating new ones is advised. */
const few = 2;

interface TurnedOnProps {
  codesLeft: number;
  onCodes: (codes: readonly string[]) => void;
}

/** Two-step sign-in is on: create new recovery codes or turn it off, each with password and code. */
export const TurnedOn = ({ codesLeft, onCodes }: TurnedOnProps) => {
  const isWritable = useSession().can("profile.write");
  const [subject, setSubject] = useState<"codes" | "off">();
  const close = () => setSubject(undefined);
  return (
    <>
      <p className={classes.text}>
        Two-step sign-in is on: signing in asks for a code of your authenticator app. {left(codesLeft)}
        {codesLeft <= few && isWritable && " Make new ones while you can sign in."}
      </p>
      {isWritable && (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setSubject("codes")}>
            New recovery codes
          </Button>
          <Button variant="default" onClick={() => setSubject("off")}>
            Turn off
          </Button>
        </div>
      )}
      <ProofDialog
        isOpen={subject === "codes"}
        onClose={close}
        title="New recovery codes"
        action="Make new codes"
        text="The codes that you have kept until now end."
        call={secondFactor.renewRecoveryCodes}
        onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
      />
      <ProofDialog
        isOpen={subject === "off"}
        onClose={close}
        title="Turn off two-step sign-in"
        action="Turn off"
        text="Signing in asks for your password alone."
        call={secondFactor.turnOff}
        success="Two-step sign-in is off"
      />
    </>
  );
};
