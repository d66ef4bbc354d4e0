/// The declarations of one file that the framework finds by name but no other file can see: private classes
/// of managed objects, private `@objc` members and private validation methods.
///
/// The code that registers them follows the last line of the file's ported text.
package struct PrivateMembers {
    /// The name of the type that the generated file calls to register them.
    package let table: String
    package let lines: [String]

    package init?(of file: ScannedFile, in catalog: ManagedClassCatalog) {
        let content = RegistrationTable(
            catalog: catalog,
            classes: catalog.classes.filter {
                !$0.isReachable && !$0.isGeneric && catalog.index.isNameable($0.path, in: file.path)
            },
            exposed: ExposedClassCatalog(catalog, privateIn: file.path))
        guard !content.isEmpty else { return nil }
        table =
            "PrivateMembers"
            + FileDiscriminator.discriminator(module: catalog.index.name, file: file.path)
        var writer = SourceWriter()
        content.emit("nonisolated enum \(table)", isPublic: false, into: &writer)
        let isImportMissing = !file.imports.contains { $0.module == "CoreData" }
        lines = (isImportMissing ? ["import CoreData"] : []) + writer.lines
    }
}
