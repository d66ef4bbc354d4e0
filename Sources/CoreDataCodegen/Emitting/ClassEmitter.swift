import CoreDataModelFormat

/// The writer of the code that an entity's codegen setting asks for: its class, an extension of the class
/// that the app wrote, or nothing.
struct ClassEmitter {
    let document: ModelDocument
    let catalog: ManagedClassCatalog
    let overrides: [GeneratedOverride]

    private var module: String { catalog.index.name }

    func emit(_ entity: EntityElement, into writer: inout SourceWriter, tokens: inout PropertyTokens) {
        guard entity.codeGeneration != .manual, let owner = EntityClass(of: entity, module: module) else {
            return
        }
        writer.line()
        switch entity.codeGeneration {
        case .manual: break
        case .class:
            let superclass = entity.parentName.map { document.className(ofEntity: $0, module: module) }
            let head = "nonisolated \(catalog.modifier(mentioning: owner.name))class \(owner.name)"
            writer.block("\(head): \(superclass ?? "NSManagedObject")") { writer in
                emitMembers(of: entity, owner, into: &writer, tokens: &tokens)
                for override in overrides where override.owner == owner.path {
                    writer.under(override.conditions) { $0.line(override.declaration) }
                }
            }
        case .category:
            writer.block("\(isolation(of: entity, owner))extension \(owner.name)") { writer in
                emitMembers(of: entity, owner, into: &writer, tokens: &tokens)
            }
        }
        if needsIdentifiable(entity, owner) {
            writer.line()
            writer.line("\(isolation(of: entity, owner))extension \(owner.name): Identifiable {}")
        }
    }

    /// Returns `nonisolated ` if the extension has to be marked so. Without it an extension is isolated to
    /// the module's default actor, even if its class is not.
    private func isolation(of entity: EntityElement, _ owner: EntityClass) -> String {
        let isNonisolated =
            entity.codeGeneration == .class
            || catalog.index.declaration(at: owner.path, from: "")?.isNonisolated == true
        return isNonisolated ? "nonisolated " : ""
    }

    private func emitMembers(
        of entity: EntityElement, _ owner: EntityClass, into writer: inout SourceWriter,
        tokens: inout PropertyTokens
    ) {
        writer.block("@nonobjc public class func fetchRequest() -> NSFetchRequest<\(owner.name)>") { writer in
            writer.line("NSFetchRequest<\(owner.name)>(entityName: \"\(entity.name)\")")
        }
        PropertyEmitter(document: document, entity: entity, owner: owner, catalog: catalog)
            .emit(into: &writer, tokens: &tokens)
        RelationshipEmitter(document: document, entity: entity, owner: owner, catalog: catalog)
            .emit(into: &writer, tokens: &tokens)
    }

    /// Returns whether the class still lacks the conformance. It may inherit the conformance, or the app may
    /// have declared it.
    private func needsIdentifiable(_ entity: EntityElement, _ owner: EntityClass) -> Bool {
        var ancestor = entity.parentName.flatMap(document.entity(named:))
        var visited: Set<String> = [entity.name]
        while let current = ancestor, visited.insert(current.name).inserted {
            if current.codeGeneration != .manual, EntityClass(of: current, module: module) != nil {
                return false
            }
            ancestor = current.parentName.flatMap(document.entity(named:))
        }
        return !catalog.declaresConformance(of: owner.path, to: "Identifiable")
    }
}
