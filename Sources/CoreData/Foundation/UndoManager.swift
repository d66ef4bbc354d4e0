public import Foundation

/// Records what can be undone. Undo is not supported yet: the type is here so that `context.undoManager = nil`
/// compiles, and none can be made.
open class UndoManager: NSObject {
    @available(*, unavailable, message: "Undo is not supported yet.")
    public override init() {}
}
