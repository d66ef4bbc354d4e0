package import CoreDataModelFormat

/// The type declarations of one module, by path.
package struct ModuleIndex: Sendable {
    package let name: String
    package let files: [ScannedFile]
    /// The models that the module's generated classes come from.
    package let documents: [ModelDocument]
    private let declarations: [[String]: [TypeDeclaration]]
    /// The members that sources declare, by type and name.
    private let members: [[String]: [String: MemberDeclaration]]

    /// - Parameter documents: The module's models, some of whose classes are not declared in any file.
    package init(name: String, files: [ScannedFile], documents: [ModelDocument] = []) {
        self.name = name
        self.files = files
        self.documents = documents
        let generated = Self.generatedClasses(of: documents, in: name)
        let named = files.flatMap(\.types).filter { $0.kind != .extension } + generated
        let topLevel = Set(named.filter { $0.path.count == 1 }.map(\.name))
        let indexed = named.map { declaration in
            (path: Self.unqualified(declaration.path, module: name, topLevel: topLevel), declaration)
        }
        declarations = Dictionary(grouping: indexed, by: \.path).mapValues { $0.map(\.1) }
        members = files.flatMap(\.members).reduce(into: [:]) { members, member in
            let owner = Self.unqualified(member.ownerPath, module: name, topLevel: topLevel)
            members[owner, default: [:]][member.name] = member
        }
    }

    /// Returns a member that a type, or an extension of it, declares.
    package func member(_ name: String, of path: [String]) -> MemberDeclaration? { members[path]?[name] }

    /// Returns the declaration at a path that a file can see; the file's own private declarations have
    /// precedence.
    package func declaration(at path: [String], from file: String) -> TypeDeclaration? {
        let candidates = declarations[path] ?? []
        return candidates.first { $0.position.file == file } ?? candidates.first { $0.access > .fileprivate }
    }

    /// Returns whether a file-level declaration of a file may name a type that is private to the file.
    func isNameable(_ path: [String], in file: String) -> Bool {
        (1...max(path.count, 1)).allSatisfy { length in
            let declaration = declaration(at: Array(path.prefix(length)), from: file)
            return declaration.map { $0.position.file == file && (length == 1 || $0.access > .private) }
                ?? false
        }
    }

    /// Returns whether any type of the module, nested or not, has a name.
    package func declares(_ name: String) -> Bool {
        declarations.keys.contains { $0.last == name }
    }

    /// Returns whether a type, or a type around it, has generic parameters.
    package func isGeneric(_ path: [String], from file: String) -> Bool {
        path.indices.contains { last in
            declaration(at: Array(path[...last]), from: file)?.genericParameters.isEmpty == false
        }
    }

    /// Every hand-written class, in a stable order.
    package var classes: [TypeDeclaration] {
        files.flatMap(\.types).filter { $0.kind == .nominal(.class) }
    }

    /// Returns the hand-written classes that inherit from framework classes with these names, according to
    /// the module's sources.
    func descendants(of roots: Set<String>) -> [TypeDeclaration] {
        // A class that the module declares under one of these names is a different class.
        var known = roots.filter { !declares($0) }
        var found: [TypeDeclaration] = []
        var rest = classes
        while let position = rest.firstIndex(where: { $0.superclassName.map(known.contains) ?? false }) {
            let declaration = rest.remove(at: position)
            known.insert(declaration.name)
            found.append(declaration)
        }
        return found
    }

    /// Returns a path without the module's own name, with which an extension may write it.
    package func unqualified(_ path: [String]) -> [String] {
        guard path.count > 1, path[0] == name, declarations[[name]] == nil else { return path }
        return Array(path.dropFirst())
    }

    /// Returns the index together with the classes that are generated from the module's models.
    package func generatingClasses(of documents: [ModelDocument]) -> ModuleIndex {
        ModuleIndex(name: name, files: files, documents: documents)
    }

    /// Returns the entities whose class has a path, with their models.
    package func entities(of path: [String]) -> [(ModelDocument, EntityElement)] {
        documents.flatMap { document in document.entities.map { (document, $0) } }.filter { _, entity in
            EntityClass(of: entity, module: name)?.path == path
        }
    }

    private static func generatedClasses(
        of documents: [ModelDocument], in module: String
    ) -> [TypeDeclaration] {
        documents.flatMap { document in
            document.entities.filter { $0.codeGeneration == .class }.compactMap { entity in
                guard let owner = EntityClass(of: entity, module: module) else { return nil }
                let parent = entity.parentName.map { document.className(ofEntity: $0, module: module) }
                let superclass = (parent ?? "NSManagedObject").split(separator: ".").map(String.init)
                return TypeDeclaration(
                    kind: .nominal(.class), path: owner.path, isInExtension: false, access: .public,
                    genericParameters: [], inherited: [.named(superclass.map { .init($0) })],
                    runtimeName: nil, isMainActor: false, conditions: [],
                    position: SourcePosition(file: "", line: 0, column: 0))
            }
        }
    }

    private static func unqualified(_ path: [String], module: String, topLevel: Set<String>) -> [String] {
        path.count > 1 && path[0] == module && !topLevel.contains(module) ? Array(path.dropFirst()) : path
    }
}

extension TypeDeclaration {
    fileprivate var superclassName: String? {
        guard case .named(let components)? = inherited.first else { return nil }
        return components.last?.name
    }
}
