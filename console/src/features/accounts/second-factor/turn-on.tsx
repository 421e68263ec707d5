import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { useMemo, useState } from "react";
import { encode } from "uqr";
import { FormMessage } from "../../../form/form-message.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { CodeField, CurrentPassword } from "./proof-fields.tsx";
import classes from "./second-factor.module.css";
import { Steps } from "./steps.tsx";

/** Quiet zone in modules; scanners need it to detect the code. */
const border = 4;

/** A QR code, dark on light in either theme: many scanners read no other. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: "M", border });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join("") };
  }, [text]);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
};

/** A secret that takes effect once a code made with it has been entered. */
interface Setup {
  secret: string;
  uri: string;
}

const PasswordStep = ({ onDone }: { onDone: (setup: Setup) => void }) => {
  const begin = useAction(secondFactor.begin, { isQuiet: true, onDone });
  const form = useCallForm(secondFactor.begin, (input) => begin.mutate(input));
  return (
    <form {...form.props} method="post" onInput={() => begin.isError && begin.reset()}>
      <p className={classes.text}>
        Two-step sign-in is off. With it, signing in asks for a code of an authenticator app besides your password: who
        knows your password alone stays outside.
      </p>
      <CurrentPassword form={form} />
      <FormMessage>{begin.error?.message}</FormMessage>
      <Button type="submit" className={classes.button} loading={begin.isPending}>
        Turn on
      </Button>
    </form>
  );
};

/** The secret in groups of four, for typing. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, "$1 ");

interface AppStepProps {
  setup: Setup;
  onCancel: () => void;
  onCodes: (codes: readonly string[]) => void;
}

const AppStep = ({ setup, onCancel, onCodes }: AppStepProps) => {
  const turnOn = useAction(secondFactor.turnOn, {
    isQuiet: true,
    invalidates: [secondFactor.state],
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  const form = useCallForm(secondFactor.turnOn, (input) => turnOn.mutate(input));
  return (
    <form {...form.props} method="post" onInput={() => turnOn.isError && turnOn.reset()}>
      <div className={classes.setup}>
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <div>
          <p>Scan the code with your authenticator app, or type this key into it:</p>
          <p className={classes.secret}>{grouped(setup.secret)}</p>
          {/* A phone cannot scan its own screen; it can open the authenticator app by this link. */}
          <a className={classes.open} href={setup.uri}>
            Open in the authenticator app of this phone
          </a>
        </div>
      </div>
      <CodeField form={form} />
      <FormMessage>{turnOn.error?.message}</FormMessage>
      <div className={classes.actions}>
        <Button type="submit" className={classes.button} loading={turnOn.isPending}>
          Confirm
        </Button>
        <Button variant="default" className={classes.button} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
};

/** Turns two-step sign-in on: password, then a code of the app; returns the recovery codes. */
export const TurnOn = ({ onCodes }: { onCodes: (codes: readonly string[]) => void }) => {
  const [setup, setSetup] = useState<Setup>();
  return (
    <>
      <Steps current={setup ? 1 : 0} />
      {setup ? (
        <AppStep setup={setup} onCancel={() => setSetup(undefined)} onCodes={onCodes} />
      ) : (
        <PasswordStep onDone={setSetup} />
      )}
    </>
  );
};
