import { profile } from "@telltale/contract/domains/people/profile";
import { useState } from "react";
import { useAction } from "../../../session/use-call.ts";
import { useSaveProfile } from "../use-save-profile.ts";
import { type Crop, middleOf } from "./crop.ts";
import { croppedFile, openPicture } from "./picture.ts";

/** A chosen picture, and the square of it to keep. */
export interface Photo {
  picture: ImageBitmap;
  crop: Crop;
}

/** Choosing, cropping and saving a photo. `validationError` is the error of the chosen file, `failure` the server's. */
export const usePhoto = () => {
  const [photo, setPhoto] = useState<Photo>();
  const [validationError, setError] = useState<string>();
  const save = useSaveProfile(() => setPhoto(undefined));
  const upload = useAction(profile.upload, { isQuiet: true, onDone: (avatar) => save.mutate({ avatar }) });

  const forget = () => {
    upload.reset();
    save.reset();
  };
  const choose = async (file: File) => {
    forget();
    const { picture, validationError: found } = await openPicture(file);
    setError(found);
    if (picture) setPhoto({ picture, crop: middleOf(picture) });
  };
  const send = async () => {
    const missing = profile.update.body?.shape.avatar.safeParse("").error?.issues[0]?.message;
    if (!photo) return setError(missing);
    const file = await croppedFile(photo.picture, photo.crop);
    if (file) upload.mutate({ file });
  };
  return {
    photo,
    validationError,
    failure: (upload.error ?? save.error)?.message,
    isSaving: upload.isPending || save.isPending,
    choose,
    send,
    place: (crop: Crop) => setPhoto((old) => old && { ...old, crop }),
    drop: () => {
      forget();
      setPhoto(undefined);
    },
  };
};
