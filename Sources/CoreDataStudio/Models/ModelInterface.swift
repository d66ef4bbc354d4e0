import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// What a page asks of one model: a request below `/api/models/{m}`, and its answer.
struct ModelInterface {
    let session: ModelSession
    /// Returns the place of a store that is open, by its ID.
    let store: @Sendable (String) -> URL?

    /// Answers a request.
    ///
    /// - Parameter path: The parts of its path behind the model.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        let fields = RequestFields(request)
        do {
            return try await answer(request.method, path.first ?? "", path.count, fields)
        } catch let refusal as Refusal {
            throw await failure(refusal, fields)
        } catch let error as CommandSyntaxError {
            throw StudioFailure(.malformed, error.description, Self.command(error.command))
        } catch let error as ModelFileError where error.reason == .overtaken {
            throw StudioFailure(.conflict, error.description)
        }
    }

    private func answer(
        _ method: StudioRequest.Method, _ name: String, _ count: Int, _ fields: RequestFields
    ) async throws -> StudioResponse {
        let version = try fields.text("version")
        switch (method, name) {
        case (_, _) where count > 1: break
        case (.get, ""): return .json(try await session.state(ofVersion: version))
        case (.get, "fixes"):
            return .json(try await session.fixes(of: try fields.number("element"), version))
        case (.get, "changes"):
            return .json(try await session.changes(to: version, since: try fields.text("against") ?? "saved"))
        case (.get, "hashes"):
            return .json(try await session.hashes(of: try fields.text("entity") ?? "", version))
        case (.get, "graph"): return .json(try await session.graph(version, GraphScope(fields)))
        case (.get, "graph.svg"): return try await session.drawing(version, GraphScope(fields))
        case (.get, "classes"):
            return try await session.classes(
                version, entity: try fields.text("entity"), style: try fields.text("style"))
        case (.get, "contents"): return try await session.contents(version)
        case (.post, "commands"):
            let commands = try ModelCommand.commands(in: fields.body["commands"] ?? .null)
            let (revision, key) = (try fields.number("revision"), try fields.text("mergeKey"))
            let seen = fields.body["seen"] == nil ? nil : try fields.number("seen")
            return .json(
                try await session.changing(version, isSeen: true) { session in
                    try session.perform(commands, seeing: revision, meantFor: seen, key: key)
                })
        case (.post, "preview"):
            let commands = try ModelCommand.commands(in: fields.body["commands"] ?? .null)
            return .json(try await session.preview(commands, version))
        case (.post, "undo"):
            let revision = try fields.number("revision")
            return .json(
                try await session.changing(version, isSeen: true) { try $0.undo(seeing: revision) })
        case (.post, "redo"):
            let revision = try fields.number("revision")
            return .json(
                try await session.changing(version, isSeen: true) { try $0.redo(seeing: revision) })
        case (.post, "save"):
            return .json(try await session.saving(version, seeing: try fields.number("revision")))
        case (.post, "reload"): return .json(try await session.changing(version) { try $0.reload() })
        case (.post, "conflicts"):
            return .json(try await session.changing(version) { $0.dismissConflicts() })
        case (.post, "recovery"):
            guard case .boolean(let takes)? = fields.body["takes"] else {
                throw StudioFailure(.malformed, "\"takes\" has to be true or false")
            }
            return .json(
                try await session.changing(version) { takes ? try $0.recover() : try $0.dropOffer() })
        case (.post, "completion"): return .json(try await session.completion(version, fields))
        case (.post, "migration"):
            return .json(try await session.migration(to: version, fields, store))
        default: break
        }
        throw StudioFailure(.notFound, "a model has no \(name)")
    }

    /// Returns the failure for a refusal: of a page that saw a former revision, with the state that it takes.
    private func failure(_ refusal: Refusal, _ fields: RequestFields) async -> StudioFailure {
        guard case .staleRevision = refusal.reason else {
            return StudioFailure(.refused, refusal.reason.description, Self.command(refusal.command))
        }
        let version = try? fields.text("version")
        let state = await session.newestState(ofVersion: version)
        return StudioFailure(.conflict, refusal.description, [.init("state", state)])
    }

    private static func command(_ index: Int?) -> [JSONValue.Member] {
        index.map { [.init("command", .integer(Int64($0)))] } ?? []
    }
}

extension ModelSession {
    fileprivate func state(ofVersion name: String?) throws -> JSONValue { try state(of: version(name)) }

    fileprivate func newestState(ofVersion name: String?) -> JSONValue {
        state(of: name.flatMap { editor.state.version(named: $0) } ?? editor.state.current)
    }

    /// Does something, and returns what is another then.
    ///
    /// - Parameter isSeen: Whether the page has seen the state before.
    fileprivate func changing(
        _ version: String?, isSeen: Bool = false, _ body: @Sendable (isolated ModelSession) throws -> Void
    ) throws -> JSONValue {
        let former = editor.state
        let name = version ?? former.currentVersionName
        let known = isSeen ? former.version(named: name).map(diagnostics) : nil
        try body(self)
        return changes(of: name, since: former, knowing: known)
    }

    fileprivate func saving(_ version: String?, seeing revision: Int) throws -> JSONValue {
        let former = editor.state
        let written = try save(seeing: revision)
        let name = version ?? former.currentVersionName
        guard case .object(let members) = changes(of: name, since: former, knowing: nil) else { return .null }
        return .object(members + [.init("written", .array(written.map { .string($0) }))])
    }

    /// Returns the problems of an element, each with what can be done about it.
    fileprivate func fixes(of number: Int, _ name: String?) throws -> JSONValue {
        let version = try version(name)
        guard let path = version.path(of: ElementID(number)) else {
            throw StudioFailure(.notFound, "there is no element number \(number)")
        }
        let ids = elements(of: version).ids
        let problems = diagnostics(of: version).filter { $0.elementPath == path }.map {
            problem -> JSONValue in
            let fixes = editor.fixes(for: problem, in: version.name).map { fix in
                JSONValue.object([.init("name", .string(fix.name)), .init("title", .string(fix.title))])
            }
            guard case .object(let members) = problem.json(ids) else { return .null }
            return .object(members + [.init("fixes", .array(fixes))])
        }
        return .object([.init("problems", .array(problems))])
    }

    /// Returns the problems that commands would bring, without carrying them out.
    fileprivate func preview(_ commands: [ModelCommand], _ name: String?) throws -> JSONValue {
        let version = try version(name)
        var trial = editor
        let outcome = try trial.perform(commands)
        let after = trial.state.version(named: version.name) ?? version
        let known = Set(diagnostics(of: version).map(\.message))
        let new = (outcome.diagnostics[after.name] ?? []).filter { !known.contains($0.message) }
        let ids = ElementJSON(after).ids
        return .object([.init("problems", .array(new.map { $0.json(ids) }))])
    }

    // MARK: Texts

    /// Returns the differences of a version to what is saved of it, or to another version.
    fileprivate func changes(to name: String?, since former: String) throws -> JSONValue {
        let version = try version(name)
        let saved = former == "saved"
        let old = saved ? nil : try self.version(former).document
        let before = saved ? files.package.version(named: version.name)?.document : old
        let predecessor = editor.state.predecessor(of: version)?.document
        // A new version is compared with the one that it was copied from.
        let compared = before ?? predecessor
        let diff = ModelDiff(from: compared ?? ModelDocument(), to: version.document)
        guard case .object(let members) = diff.json else { return .null }
        let lines = diff.changes.map { JSONValue.string($0.text) }
        let text = { (document: ModelDocument) in
            String(decoding: ModelWriter(document).contents(), as: UTF8.self)
        }
        let xml = LineDiff(from: compared.map(text) ?? "", to: text(version.document))
        let whole = saved ? ChangeList(from: files.package, to: try editor.package).lines : []
        return .object(
            members + [
                .init("lines", .array(lines)), .init("all", .array(whole.map { .string($0) })),
                .init("xml", xml.json),
            ])
    }

    fileprivate func contents(_ name: String?) throws -> StudioResponse {
        let version = try version(name)
        let path = editor.isVersioned ? PackageFiles.contents(ofVersion: version.name) : "contents"
        let isSaved = files.package.version(named: version.name)?.document == version.document
        let saved = isSaved ? files.files.contents[path] : nil
        let bytes = saved ?? ModelWriter(version.document).contents()
        return StudioResponse(.bytes(Array(bytes), type: .text, fileName: "contents"))
    }

    fileprivate func classes(_ name: String?, entity: String?, style: String?) throws -> StudioResponse {
        var document = try version(name).document
        var chosen: ClassGeneration.Style?
        if let style {
            guard let known = ClassGeneration.Style(rawValue: style) else {
                throw StudioFailure(.malformed, "there is no style \"\(style)\"")
            }
            chosen = known
        }
        if let entity {
            guard document.entities.contains(where: { $0.name == entity }) else {
                throw StudioFailure(.notFound, "the model has no entity \"\(entity)\"")
            }
            for index in document.entities.indices {
                let isWanted = document.entities[index].name == entity
                if !isWanted {
                    document.entities[index].codeGeneration = .manual
                } else if let chosen {
                    document.entities[index].codeGeneration = chosen == .class ? .class : .category
                    if document.entities[index].className ?? "" == "" {
                        document.entities[index].className = entity
                    }
                }
            }
            chosen = nil
        }
        let text: String
        do {
            text = try ClassGeneration(document, module: self.name, style: chosen).text()
        } catch {
            throw StudioFailure(.refused, error.description)
        }
        return StudioResponse(.bytes(Array(text.utf8), type: .text, fileName: "\(entity ?? self.name).swift"))
    }
}
