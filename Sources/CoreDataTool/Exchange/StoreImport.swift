import CoreData
import CoreDataJSON
import CoreDataModelFormat
package import Foundation

/// An import of the lines of an export, into a new store or into an existing one in addition to its objects.
///
/// Either all objects are saved or none. They are saved at once, so all of them must fit in memory.
package final class StoreImport {
    private let target: URL
    private let givenModel: URL?
    private let isStrict: Bool
    /// The rules of the model that the saved objects break, one line each.
    package private(set) var warnings: [String] = []
    private var draft: ImportDraft?
    private var line = 0

    /// Prepares an import. The first line opens or makes the store.
    ///
    /// - Parameters:
    ///   - target: An existing store, or the place for a new one.
    ///   - modelFile: The model of the store, instead of the one in the export or in an existing store.
    ///   - isStrict: Whether objects that break the rules of the model are rejected. Rows of Apple's own apps
    ///     break some rules.
    package init(into target: URL, model modelFile: URL? = nil, isStrict: Bool = false) {
        self.target = target
        self.isStrict = isStrict
        givenModel = modelFile
    }

    /// Reads a line; empty ones are skipped.
    ///
    /// - Throws: A `ToolError` that names the line.
    package func read(_ text: some StringProtocol) throws {
        line += 1
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        do {
            let json = try JSONParser.parse(text)
            if let header = try ExchangeHeader(json) {
                guard draft == nil else { throw ToolError("a second header") }
                draft = try makeDraft(header.document)
            } else {
                let draft = try self.draft ?? makeDraft(nil)
                self.draft = draft
                try draft.add(json, line: line)
            }
        } catch {
            throw ToolError("line \(line): \(ErrorText.describe(error))")
        }
    }

    /// Links the objects and saves them. A failure leaves no new store.
    ///
    /// - Returns: The number of objects that were added.
    package func finish() throws -> Int {
        guard let draft else { throw ToolError("there is nothing to import: the input is empty") }
        do {
            try draft.link()
            let saved = try draft.save(isStrict: isStrict)
            warnings = saved.warnings
            return saved.count
        } catch {
            // The error is described at once, since Cocoa's errors contain the objects, whose store is closed
            // next.
            let failure = ToolError(ErrorText.describe(error, naming: draft.name))
            discard()
            throw failure
        }
    }

    /// Ends the import without saving; a new store is removed.
    package func discard() {
        // Discarding fails only if the store could not be closed. The first error is then the one to report.
        try? draft?.discard()
        draft = nil
    }

    private func makeDraft(_ document: ModelDocument?) throws -> ImportDraft {
        if try StoreFiles.hasStore(at: target) {
            let store = try OpenedStore(at: target, model: givenModel)
            return try ImportDraft(target, store.metadata.type, store.matchingModel())
        }
        let type = StoreConversion.Target(of: target) ?? .sqlite
        try StoreFiles.requireNone(at: target, type)
        if let givenModel {
            return try ImportDraft(
                target, type.storeType, StoreModel.current(of: givenModel), isNew: true)
        }
        guard let document else {
            throw ToolError("the export has no model: name one for the new store with --model")
        }
        return try ImportDraft(
            target, type.storeType, StoreModel(document, origin: .cache), isNew: true)
    }
}
