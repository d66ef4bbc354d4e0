import CoreData
import CoreDataModelFormat
package import Foundation

/// Makes objects of the lines of an export, in a new store or beside those of one that is there. All or
/// nothing: the objects are saved at once, so memory must hold them.
package final class StoreImport {
    private let target: URL
    private let givenModel: URL?
    private let isStrict: Bool
    /// What the objects that were saved lack of what the model asks for.
    package private(set) var warnings: [String] = []
    private var draft: ImportDraft?
    private var line = 0

    /// - Parameters:
    ///   - target: a store, or the place for one.
    ///   - modelFile: the model of a new store, instead of the one that the export has.
    ///   - isStrict: whether objects that break the rules of the model are refused. Rows of Apple's own apps
    ///     do.
    package init(into target: URL, model modelFile: URL? = nil, isStrict: Bool = false) {
        self.target = target
        self.isStrict = isStrict
        givenModel = modelFile
    }

    /// Takes a line. Empty ones are passed over.
    ///
    /// - Throws: An error that names the line.
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

    /// Links the objects and saves them. A store that was to be made is not there after a failure.
    ///
    /// - Returns: How many objects there are now that were not there before.
    package func finish() throws -> Int {
        guard let draft else { throw ToolError("there is nothing to import: the input is empty") }
        do {
            try draft.link()
            let saved = try draft.save(isStrict: isStrict)
            warnings = saved.warnings
            return saved.count
        } catch {
            // In words now: Cocoa's errors hold the objects, whose store is gone after this.
            let failure = ToolError(ErrorText.describe(error, naming: draft.name))
            discard()
            throw failure
        }
    }

    /// Gives up: a store that was to be made is not there any more.
    package func discard() {
        // It fails only where the store could not be closed, and there the first error is the one to tell.
        try? draft?.discard()
        draft = nil
    }

    private func makeDraft(_ document: ModelDocument?) throws -> ImportDraft {
        if FileManager.default.fileExists(atPath: target.path) {
            let store = try OpenedStore(at: target, model: givenModel)
            return try ImportDraft(target, store.metadata.type, store.matchingModel())
        }
        let type = StoreConversion.Target(extensionOf: target) ?? .sqlite
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
