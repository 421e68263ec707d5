import type { Letter } from "../../../notify/index.ts";
import { quoted } from "../../../notify/letters/quoted.rules.ts";

const at = (publicUrl: string, path: string, fields: Record<string, string>): string =>
  `${publicUrl}${path}?${new URLSearchParams(fields)}`;

interface Linked {
  publicUrl: string;
  email: string;
  secret: string;
}

const oneHour = "The link works once, within the next hour.";
const notMe = "If you did not ask for this, ignore this mail: nothing changes.";

export const confirmationLetter = ({ publicUrl, email, secret }: Linked): Letter => ({
  subject: "Confirm your email address",
  paragraphs: [
    "This email address was used to register with Telltale, and a password was chosen. If that was you, confirm the address to complete the registration.",
    "If that was not you, do not confirm: the person who registered could sign in under your address with their password.",
  ],
  action: { label: "Confirm email address", url: at(publicUrl, "/confirm", { accessToken: secret, email }) },
  footnotes: [oneHour, notMe],
});

/** Sent when a registered address registers again: only its owner learns that it is registered. */
export const alreadyRegisteredLetter = ({ publicUrl }: Pick<Linked, "publicUrl">): Letter => ({
  subject: "You have an account already",
  paragraphs: [
    "This email address, most likely by you, was used to register with Telltale, but it has an account already.",
    "Sign in with your password, or set a new one with 'Forgot password'. To add another plant, choose '+ Create a new admin account' after signing in.",
  ],
  action: { label: "Log IN", url: `${publicUrl}/login` },
  footnotes: [notMe],
});

export const resetLetter = ({ publicUrl, email, secret }: Linked): Letter => ({
  subject: "Reset your password",
  paragraphs: ["A password reset was requested for your Telltale account. Choose the new password here."],
  action: { label: "Reset password", url: at(publicUrl, "/forgetEdit", { accessToken: secret, email }) },
  footnotes: [oneHour, notMe],
});

export const passwordChangedLetter = ({ publicUrl }: Pick<Linked, "publicUrl">): Letter => ({
  subject: "Your password was changed",
  paragraphs: [
    "The password of your Telltale account has been changed, and every other session was signed out.",
    "If that was not you, set a new password at once.",
  ],
  action: { label: "Forgot password", url: `${publicUrl}/resetPassword` },
});

/** Sent after a change of the second factor, so that no change goes unnoticed. */
export const secondFactorLetter = (
  { publicUrl }: Pick<Linked, "publicUrl">,
  change: "on" | "off" | "renewed",
): Letter => ({
  subject: {
    on: "Two-step sign-in is on",
    off: "Two-step sign-in is off",
    renewed: "Your recovery codes were renewed",
  }[change],
  paragraphs: [
    {
      on: "From now on your Telltale account asks for a code of your authenticator app when you sign in.",
      off: "Your Telltale account no longer asks for a code when you sign in.",
      renewed: "The recovery codes of your Telltale account were replaced. The ones before no longer work.",
    }[change],
    "If that was not you, set a new password at once.",
  ],
  action: { label: "Forgot password", url: `${publicUrl}/resetPassword` },
});

interface Invited extends Linked {
  plantName: string;
  roleName: string;
  invitedBy: string;
}

export const invitationLetter = ({ publicUrl, email, secret, ...to }: Invited): Letter => ({
  subject: `You are invited to ${quoted(to.plantName)}`,
  paragraphs: [`${to.invitedBy} invites you to ${quoted(to.plantName)} on Telltale as ${to.roleName}.`],
  action: { label: "Join", url: at(publicUrl, "/register", { accessToken: secret, email }) },
  footnotes: [
    "The link works once, within the next seven days.",
    "If you do not know who this is from, ignore this mail.",
  ],
});
