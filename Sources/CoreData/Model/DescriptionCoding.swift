import Foundation

/// Fails a coder that is to encode a description on its own: the entities, destinations and inverses that it
/// refers to are only whole in a model.
func failToEncodeDescription(_ description: NSObject, with coder: NSCoder) {
    coder.failWithError(
        CocoaError(
            .coderInvalidValue,
            userInfo: [
                NSLocalizedFailureReasonErrorKey:
                    "\(type(of: description)) is archived with its NSManagedObjectModel only; encode the model."
            ]))
}

/// Fails a coder that is to decode a description on its own.
func failToDecodeDescription(_ coder: NSCoder) {
    coder.failWithError(
        CocoaError(
            .coderReadCorrupt,
            userInfo: [
                NSLocalizedFailureReasonErrorKey:
                    "The archive holds no model; descriptions are decoded with their NSManagedObjectModel only."
            ]))
}
