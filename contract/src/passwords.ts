import { z } from "zod";
import { post } from "./call.ts";
import { emailField, passwordField, repeated, repeats, secretField } from "./person-fields.ts";

const unknownEmail = "Enter the email address associated with your account";

const NewPassword = z.object({
  email: emailField(unknownEmail),
  newPwd: passwordField("Set a password of no less than 8 characters"),
  confirmPwd: repeated,
  accessToken: secretField,
});

/** A forgotten password. (spec 2 §2, decisions §5) */
export const passwords = {
  askReset: post("/api/user/update/password/sendEmail", {
    access: "public",
    summary: "Mails a link that sets a new password, once and within an hour; the answer is the same for every address",
    body: z.object({ email: emailField(unknownEmail) }),
    result: z.null(),
  }),
  reset: post("/api/user/update/password", {
    access: "public",
    summary: "Sets a new password by the mailed link; ends every session of the user",
    body: repeats(NewPassword, "newPwd", "confirmPwd"),
    result: z.null(),
  }),
};
