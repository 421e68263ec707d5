import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { deviceIdField } from "../../text/text-fields.ts";
import {
  emailField,
  passwordField,
  repeatedPassword,
  secretField,
  termsField,
  timeZoneField,
  withRepeatedPassword,
} from "./person-fields.ts";

const unknownEmail = "Enter the email address associated with your account";

const NewPassword = z.object({
  email: emailField(unknownEmail),
  newPwd: passwordField("Set a password of no less than 8 characters"),
  confirmPwd: repeatedPassword,
  accessToken: secretField,
});

/** Password reset. (spec 2 §2, decisions §5) */
export const passwords = {
  askReset: post("/api/user/update/password/sendEmail", {
    access: "public",
    summary:
      "Mails a single-use link to set a new password, valid for an hour; the answer is the same for every address",
    body: z.object({ email: emailField(unknownEmail) }),
    result: z.null(),
  }),
  reset: post("/api/user/update/password", {
    access: "public",
    summary: "Sets a new password with the mailed link; ends all sessions of the user",
    body: withRepeatedPassword(NewPassword, "newPwd", "confirmPwd"),
    result: z.null(),
  }),
};

const badEmail = "Please enter a valid email address";
const noDeviceId = "Please enter a Device ID";

/** An invitation as the page of the mailed link shows it. */
export const Invitation = z.object({
  plantName: z.string(),
  roleName: z.string(),
  invitedBy: z.string(),
  /** Whether this e-mail address is already registered: the form then asks for its password instead of setting one. */
  isRegistered: z.boolean(),
});
export type Invitation = z.output<typeof Invitation>;

const Register = z.object({
  email: emailField(badEmail),
  telltaleId: deviceIdField(noDeviceId),
  password: passwordField("Password must be a minimum of 8 characters"),
  confirmPassword: repeatedPassword,
  terms: termsField,
  timeZoneId: timeZoneField,
});

const Join = z.object({
  email: emailField(badEmail),
  password: passwordField("Set a password of no less than 8 characters"),
  confirmPassword: repeatedPassword,
  terms: termsField,
  accessToken: secretField,
});

/** Registration and invitations. No answer reveals whether an e-mail address is registered; only the mail does. (spec 2 §2, decisions §5) */
export const registration = {
  register: post("/api/register", {
    access: "public",
    summary: "Registers an owner with an unclaimed main device; the mailed link completes the registration",
    body: withRepeatedPassword(Register, "password", "confirmPassword"),
    result: z.null(),
  }),
  resend: get("/api/register/send/email", {
    access: "public",
    summary: "Mails a new registration link; earlier links become invalid",
    query: z.object({ email: emailField(badEmail), telltaleId: deviceIdField(noDeviceId).optional() }),
    result: z.null(),
  }),
  confirm: get("/api/register/confirm/email", {
    access: "public",
    summary: "Completes a registration with the mailed link, which is single-use and valid for an hour",
    query: z.object({ accessToken: secretField, email: emailField(badEmail) }),
    result: z.null(),
  }),
  invitation: get("/api/register/invitation", {
    access: "public",
    summary: "The invitation of a mailed link",
    query: z.object({ accessToken: secretField, email: emailField(badEmail) }),
    result: Invitation,
  }),
  join: post("/api/register/user", {
    access: "public",
    summary: "Joins a plant by invitation; a new user sets a password, a registered one gives theirs",
    body: withRepeatedPassword(Join, "password", "confirmPassword"),
    result: z.null(),
  }),
};
