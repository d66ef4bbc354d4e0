import Foundation

/// A description cannot be archived on its own: what it refers to (its entity, destinations, inverses) is only
/// whole in a model.
func failToEncodeDescription(_ description: NSObject, with coder: NSCoder) {
    coder.failWithError(
        CocoaError(
            .coderInvalidValue,
            userInfo: [
                NSLocalizedFailureReasonErrorKey:
                    "\(type(of: description)) is archived with its NSManagedObjectModel only; encode the model."
            ]))
}

func failToDecodeDescription(_ coder: NSCoder) {
    coder.failWithError(
        CocoaError(
            .coderReadCorrupt,
            userInfo: [
                NSLocalizedFailureReasonErrorKey:
                    "The archive holds no model; descriptions are decoded with their NSManagedObjectModel only."
            ]))
}
