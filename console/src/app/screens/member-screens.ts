/** The account screens load together: each is small, and whoever opens one goes on to the next. */
export { AliasForm } from "../../features/profile/alias-form.tsx";
export { CellNumberForm } from "../../features/profile/cell-number-form.tsx";
export { CompanyForm } from "../../features/profile/company-form.tsx";
export { IndustryForm } from "../../features/profile/industry-form.tsx";
export { NameForm } from "../../features/profile/name-form.tsx";
export { PasswordForm } from "../../features/profile/password-form.tsx";
export { PhotoForm } from "../../features/profile/photo-form.tsx";
export { SecondFactor } from "../../features/second-factor/second-factor.tsx";
export { SignIns } from "../../features/sign-ins/sign-ins.tsx";
export { AssociatedAccountScreen } from "./associated-account-screen.tsx";
