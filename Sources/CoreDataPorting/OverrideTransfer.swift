#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import SwiftSyntax

/// The transfer of overrides from extensions to their classes, which may be in any file of the module.
struct OverrideTransfer {
    /// The files, with the rewrites and texts that the transfer adds to them.
    private(set) var ports: [FilePort]
    /// The overrides that generated classes declare.
    private(set) var generated: [GeneratedOverride] = []

    private let files: [PortedFile]
    private let catalog: ManagedClassCatalog
    private var index: ModuleIndex { catalog.index }
    private var lines: [ClassBody: [String]] = [:]

    /// The opening brace of a class in one of the files.
    private struct ClassBody: Hashable {
        var file: Int
        var brace: Int
        /// Whether a member follows the brace on the same line.
        var isFollowed: Bool

        init(_ body: MemberBlockSyntax, in file: Int) {
            self.file = file
            brace = body.leftBrace.endPositionBeforeTrailingTrivia.utf8Offset
            isFollowed = !body.members.isEmpty && !body.leftBrace.endsLine
        }
    }

    /// The place to which an override moves.
    private enum Target {
        case file(Int, MemberBlockSyntax)
        case generated
        case nowhere(remedy: String)
    }

    init(_ files: [PortedFile], catalog: ManagedClassCatalog) {
        self.files = files
        self.catalog = catalog
        ports = files.map(\.port)
        for (position, file) in files.enumerated() {
            for override in file.overrides { transfer(override, from: position) }
        }
        for (body, declarations) in lines {
            let text = declarations.joined(separator: "; ") + (body.isFollowed ? ";" : "")
            ports[body.file].rewrites.append(
                Rewrite(range: body.brace..<body.brace, kind: .overrides(text)))
        }
    }

    private mutating func transfer(_ override: ExtensionOverride, from position: Int) {
        switch target(of: override, from: position) {
        case .nowhere(let remedy):
            refuse(override, in: position, \.refusals, remedy)
        case .generated:
            refuse(
                override, in: position, \.inPlaceRefusals,
                "set the codegen of the entity to Category/Extension, write the class, and move this into it")
            guard
                let line = forward(
                    override, from: position, to: .module(depth: catalog.depth(of: override.owner)))
            else { return }
            generated.append(
                GeneratedOverride(
                    owner: override.owner, declaration: line, conditions: override.conditions,
                    file: files[position].port.source.path))
        case .file(let file, let body):
            if file != position, let obstacle = obstacle(to: override, from: position, to: file) {
                refuse(override, in: position, \.inPlaceRefusals, "move this into the class, \(obstacle)")
            } else {
                move(override, from: position, to: file, body)
            }
            let depth = catalog.depth(of: override.owner)
            if depth == 0, !override.saysIsolation, let actor = body.globalActor {
                return refuse(
                    override, in: position, \.overlayRefusals,
                    "write 'nonisolated override', since the class is bound to \(actor) and what it overrides is not"
                )
            }
            let visibility: ExtensionOverride.Visibility = file == position ? .file : .module(depth: depth)
            guard let line = forward(override, from: position, to: visibility) else { return }
            lines[ClassBody(body, in: file), default: []].append(line)
            if file != position { importTypes(of: override, from: position, to: file) }
        }
    }

    // MARK: The class

    private func target(of override: ExtensionOverride, from position: Int) -> Target {
        let path = files[position].port.source.path
        guard let declaration = index.declaration(at: override.owner, from: path) else {
            return .nowhere(remedy: "override it in a subclass, since the class is one of another module")
        }
        guard !declaration.position.file.isEmpty else { return .generated }
        // The file of the extension is searched first, since it may contain one of several classes of the
        // same name under different conditions.
        let candidates =
            [position] + files.indices.filter { files[$0].port.source.path == declaration.position.file }
        for candidate in candidates {
            if let body = files[candidate].body(of: override.owner, under: override.conditions) {
                return .file(candidate, body)
            }
        }
        return .nowhere(remedy: "move this into the class, which does not stand under the same #if")
    }

    // MARK: The overlay

    private mutating func forward(
        _ override: ExtensionOverride, from position: Int, to visibility: ExtensionOverride.Visibility
    ) -> String? {
        guard let forwarding = override.forwarding(to: visibility) else {
            refuse(override, in: position, \.overlayRefusals, "move this into the class")
            return nil
        }
        ports[position].rewrites += forwarding.rewrites
        return forwarding.declaration
    }

    /// Adds imports for the types in an override to the file of the class, if it lacks them.
    private mutating func importTypes(of override: ExtensionOverride, from position: Int, to file: Int) {
        let known = Set(imports(of: file).map(\.module))
        let isFoundationKnown = !known.isDisjoint(with: ["CoreData", "Foundation"])
        let isForeign = override.typeNames.contains { name in
            !index.declares(name)
                && !(isFoundationKnown
                    && (ForeignNames.isOfFoundation(name) || ForeignNames.isOfFramework(name)))
        }
        guard isForeign else { return }
        for missing in imports(of: position) where !known.contains(missing.module) {
            let lines =
                missing.conditions.isEmpty
                ? [missing.text]
                : ["#if " + missing.conditions.joined(separator: " && "), missing.text, "#endif"]
            guard !ports[file].additions.contains(missing.text) else { continue }
            ports[file].additions += lines
        }
    }

    private func imports(of file: Int) -> [ImportDeclaration] {
        let path = files[file].port.source.path
        return index.files.first { $0.path == path }?.imports ?? []
    }

    // MARK: In place

    private mutating func move(
        _ override: ExtensionOverride, from position: Int, to file: Int, _ body: MemberBlockSyntax
    ) {
        let moved = MovedOverride(override)
        ports[position].movedOverrides.append(moved)
        ports[file].arrivingOverrides.append(
            ArrivingOverride(
                destination: body.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset,
                text: PortableText(of: ports[position]).text(of: moved)))
    }

    /// Returns why the class's file cannot contain the override; nil if it can.
    private func obstacle(to override: ExtensionOverride, from position: Int, to file: Int) -> String? {
        let tokens = override.node.tokens(viewMode: .sourceAccurate)
        let hidden = files[position].tree.privateNames
        if let name = tokens.lazy.map(\.plainText).first(where: hidden.contains) {
            return "whose file does not see '\(name)'"
        }
        if tokens.contains(where: { $0.tokenKind == .identifier("selector") && $0.isMacroName }) {
            return "whose file is to have the selector, too"
        }
        let known = Set(imports(of: file).map(\.module) + ["Foundation", "CoreData"])
        let missing = imports(of: position).first { !known.contains($0.module) }
        return missing.map { "whose file does not import '\($0.module)'" }
    }

    private mutating func refuse(
        _ override: ExtensionOverride, in position: Int, _ list: WritableKeyPath<FilePort, [Diagnostic]>,
        _ remedy: String
    ) {
        let site = override.position
        ports[position][keyPath: list].append(
            Diagnostic(
                .error, "an extension cannot override without the Objective-C runtime: \(remedy)",
                file: site.file, line: site.line, column: site.column))
    }
}

extension MemberBlockSyntax {
    /// The actor to which an attribute isolates the class.
    fileprivate var globalActor: String? { parent?.as(ClassDeclSyntax.self)?.attributes.globalActor }
}

extension TokenSyntax {
    fileprivate var isMacroName: Bool {
        parent?.is(MacroExpansionExprSyntax.self) == true || parent?.is(MacroExpansionDeclSyntax.self) == true
    }
}
#endif
