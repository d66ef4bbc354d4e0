import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataStudioInterface

/// Unsaved edits that outlive a program, and those that a former program left behind.
extension ModelSession {
    /// Keeps unsaved edits in the recovery file, or removes it if there are none.
    func keepUnsaved() {
        guard !isReadOnly else { return }
        if unsaved.isEmpty {
            if keptRevision != nil { recovery.drop() }
            keptRevision = nil
        } else if keptRevision != editor.revision, let package = try? editor.package,
            (try? recovery.keep(package, over: files.files)) != nil
        {
            keptRevision = editor.revision
        }
    }

    /// Looks for changes of other programs, and keeps unsaved edits.
    func look() {
        try? readAgain()
        keepUnsaved()
        lookForOffers()
    }

    /// Offers the edits of programs that have ended meanwhile, such as one that was still ending when this one
    /// began.
    private func lookForOffers() {
        guard offers.isEmpty, !isReadOnly else { return }
        offers = recovery.offers
        if !offers.isEmpty { post() }
    }

    /// Puts edits that a former program left behind into the model, as one step, and drops their file.
    func recover() throws {
        try requireWritable()
        guard let offer = offers.first else {
            throw StudioFailure(.notFound, "there are no edits to recover")
        }
        let merge = try ModelReconciliation(base: offer.base, ours: offer.edited, theirs: editor.package)
        editor.adopt(merge.package, titled: "Recover unsaved edits")
        conflicts = merge.conflicts
        keepUnsaved()
        try dropOffer()
    }

    /// Drops edits that a former program left behind.
    func dropOffer() throws {
        try requireWritable()
        guard !offers.isEmpty else { throw StudioFailure(.notFound, "there are no edits to recover") }
        try ModelFileSystem().remove(offers.removeFirst().file)
        post()
    }
}
