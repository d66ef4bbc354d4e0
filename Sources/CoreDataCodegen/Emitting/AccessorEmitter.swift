package import CoreDataModelFormat

/// The writer of the accessors and methods whose symbols `@NSManaged` declarations leave undefined.
///
/// For each such declaration the compiler refers to a getter, a setter or a method, but defines none. A
/// method of an extension that has the same symbol has the same calling convention. It is `dynamic`, because
/// `@NSManaged` implies that and callers in other modules are compiled for it; `final`, so that no second
/// symbol is made for dispatch; and it takes the new value as `__owned`, as setters do.
package struct AccessorEmitter {
    private let catalog: ManagedClassCatalog
    private let resolver: TypeResolver
    private let computedProperties: Set<SourcePosition>
    private let seesPrivateMembers: Bool

    /// - Parameters:
    ///   - computedProperties: The positions of the properties that have accessors in the ported source. Only
    ///     their tokens are generated.
    ///   - seesPrivateMembers: Whether ported sources register their private members themselves.
    package init(
        catalog: ManagedClassCatalog, library: ModuleLibrary, computedProperties: Set<SourcePosition> = [],
        seesPrivateMembers: Bool = false
    ) {
        self.seesPrivateMembers = seesPrivateMembers
        self.catalog = catalog
        resolver = TypeResolver(library)
        self.computedProperties = computedProperties
    }

    /// Writes the accessors of one file's declarations, and returns an error for each declaration that cannot
    /// have accessors.
    package func emit(
        _ file: ScannedFile, into writer: inout SourceWriter, tokens: inout PropertyTokens
    ) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for property in file.properties {
            do {
                try emit(property, into: &writer, tokens: &tokens)
            } catch {
                diagnostics.append(diagnostic(error, property.name, property.context))
            }
        }
        diagnostics += file.validators.compactMap(unreachable)
        for (number, method) in file.methods.enumerated() {
            do {
                try emit(method, number, into: &writer, tokens: &tokens)
            } catch {
                diagnostics.append(diagnostic(error, method.name, method.context))
            }
        }
        return diagnostics
    }

    /// Returns the modules of the types that are visible to clients in the accessors of a file.
    package func exportedModules(of file: ScannedFile) -> Set<String> {
        let properties = file.properties.filter { isExported($0.context) && !isComputed($0) }.compactMap {
            try? signature(of: $0)
        }
        let methods = file.methods.filter { isExported($0.context) }.compactMap { try? signature(of: $0) }
        let types = properties.map(\.type) + methods.flatMap { $0.parameters.map(\.type) }
        return Set(properties.map(\.owner.module) + methods.map(\.owner.module) + types.flatMap(\.modules))
    }

    // MARK: Properties

    package func signature(of property: ManagedPropertyDeclaration) throws -> PropertySignature {
        guard let type = property.type else { throw TypeResolver.Failure("its type has to be written out") }
        let owner = try owner(of: property.context)
        return PropertySignature(
            owner: owner.nominal,
            extendingModule: owner.extendingModule,
            name: property.name,
            discriminator: discriminator(property.context),
            type: try resolve(type, property.context))
    }

    private func emit(
        _ property: ManagedPropertyDeclaration, into writer: inout SourceWriter, tokens: inout PropertyTokens
    ) throws {
        let path = catalog.index.unqualified(property.context.ownerPath)
        let primitive = catalog.primitiveKey(of: property.name, in: path)
        let token = tokens.token(property.name, key: primitive ?? property.name, of: path)
        if isComputed(property) {
            // The framework does not find a class that the generated file cannot name.
            let file = property.context.position.file
            let isToldOf = seesPrivateMembers && catalog.index.isNameable(path, in: file)
            if !isToldOf, let owner = try? resolver.nominal(at: path, from: file) {
                try requireVisible(owner)
            }
            return
        }
        let signature = try signature(of: property)
        let type = signature.type.spelling(in: catalog.index)
        let kind = primitive == nil ? "" : "Primitive"
        let getter = SymbolMangler.symbol(of: .getter, for: signature)
        let setter = SymbolMangler.symbol(of: .setter, for: signature)
        emit(property.context, into: &writer) { writer, head in
            writer.line("@_silgen_name(\"\(getter)\")")
            writer.line(
                "\(head) func __get_\(property.name)() -> \(type) { ManagedAccess.read\(kind)(self, \(token)) }"
            )
            writer.line("@_silgen_name(\"\(setter)\")")
            writer.line(
                "\(head) func __set_\(property.name)(_ value: __owned \(type)) "
                    + "{ ManagedAccess.write\(kind)(self, \(token), value) }")
        }
    }

    private func isComputed(_ property: ManagedPropertyDeclaration) -> Bool {
        computedProperties.contains(property.context.position)
    }

    // MARK: Methods

    package func signature(of method: ManagedMethodDeclaration) throws -> MethodSignature {
        if let effect = method.unsupportedEffect { throw TypeResolver.Failure("it is \(effect)") }
        let owner = try owner(of: method.context)
        return MethodSignature(
            owner: owner.nominal,
            extendingModule: owner.extendingModule,
            name: method.name,
            discriminator: discriminator(method.context),
            parameters: try method.parameters.map {
                .init(label: $0.label, type: try resolve($0.type, method.context))
            },
            result: try method.result.map { try resolve($0, method.context) })
    }

    private func emit(
        _ method: ManagedMethodDeclaration, _ number: Int, into writer: inout SourceWriter,
        tokens: inout PropertyTokens
    ) throws {
        let signature = try signature(of: method)
        guard let pattern = ToManyMethod(method) else {
            throw TypeResolver.Failure("its name follows none of the accessor patterns, such as addTo…(_:)")
        }
        let path = catalog.index.unqualified(method.context.ownerPath)
        let token = tokens.token(catalog.property(named: pattern.capitalizedKey, of: path), of: path)
        let call = try ToManyCall(pattern.operation, signature, token: token).text
        let parameters = signature.parameters.enumerated().map { position, parameter in
            "_ p\(position): \(parameter.type.spelling(in: catalog.index))"
        }
        let result = signature.result.map { " -> " + $0.spelling(in: catalog.index) } ?? ""
        let symbol = SymbolMangler.symbol(for: signature)
        emit(method.context, into: &writer) { writer, head in
            writer.line("@_silgen_name(\"\(symbol)\")")
            writer.line(
                "\(head) func __call_\(method.name)_\(number)(\(parameters.joined(separator: ", ")))\(result) "
                    + "{ \(call) }")
        }
    }

    // MARK: Context

    private func emit(
        _ context: ManagedMemberContext, into writer: inout SourceWriter,
        _ body: (inout SourceWriter, _ head: String) -> Void
    ) {
        let path = catalog.index.unqualified(context.ownerPath)
        let head = (isExported(context) ? "@usableFromInline " : "") + "nonisolated dynamic final"
        writer.line()
        writer.under(context.conditions) { writer in
            for attribute in context.availability { writer.line(attribute) }
            writer.block("extension \(path.map(NameEscaping.escaped).joined(separator: "."))") { writer in
                body(&writer, head)
            }
        }
    }

    private func isExported(_ context: ManagedMemberContext) -> Bool {
        let path = catalog.index.unqualified(context.ownerPath)
        return context.access >= .public && catalog.access(of: path, from: context.position.file) >= .public
    }

    private func owner(of context: ManagedMemberContext) throws -> (
        nominal: NominalType, extendingModule: String?
    ) {
        let path = catalog.index.unqualified(context.ownerPath)
        guard !path.isEmpty else { throw TypeResolver.Failure("it stands outside a class") }
        guard !context.hasConstraints else {
            throw TypeResolver.Failure("it stands in an extension with a where clause")
        }
        let nominal = try resolver.nominal(at: path, from: context.position.file)
        try requireVisible(nominal)
        return (nominal, nominal.module == catalog.index.name ? nil : catalog.index.name)
    }

    private func requireVisible(_ owner: NominalType) throws {
        guard !owner.steps.contains(where: { $0.discriminator != nil }) else {
            throw TypeResolver.Failure("its class is private: make '\(owner.name)' internal")
        }
    }

    private func discriminator(_ context: ManagedMemberContext) -> String? {
        guard context.access <= .fileprivate else { return nil }
        return FileDiscriminator.discriminator(module: catalog.index.name, file: context.position.file)
    }

    private func resolve(_ type: TypeExpression, _ context: ManagedMemberContext) throws -> SwiftType {
        let path = catalog.index.unqualified(context.ownerPath)
        let resolved = try resolver.resolve(type, in: path, of: context.position.file)
        if let hidden = resolved.privateName {
            throw TypeResolver.Failure("its type is private: make '\(hidden)' internal")
        }
        return resolved
    }

    /// Returns a warning for a private method, which validation would not find and would silently leave out.
    private func unreachable(_ validator: ValidatorDeclaration) -> Diagnostic? {
        let context = validator.context
        guard !seesPrivateMembers, context.access <= .fileprivate,
            catalog.managedClass(at: catalog.index.unqualified(context.ownerPath)) != nil
        else { return nil }
        return Diagnostic(
            .warning, at: (context.ownerPath + [validator.name]).joined(separator: "."),
            "validation cannot call the private method '\(validator.name)': make it internal",
            file: context.position.file, line: context.position.line, column: context.position.column)
    }

    private func diagnostic(_ error: any Error, _ name: String, _ context: ManagedMemberContext) -> Diagnostic
    {
        let reason = (error as? TypeResolver.Failure)?.message ?? "\(error)"
        return Diagnostic(
            .error, at: (context.ownerPath + [name]).joined(separator: "."),
            "no accessor can be generated for @NSManaged '\(name)': \(reason)",
            file: context.position.file, line: context.position.line, column: context.position.column)
    }
}

extension SwiftType {
    /// The modules that declare the types that this type consists of.
    fileprivate var modules: [String] {
        switch self {
        case .nominal(let nominal, let arguments):
            [nominal.module] + arguments.lazy.joined().flatMap(\.modules)
        case .existential(let protocols, let superclass, _):
            protocols.map(\.module) + (superclass?.modules ?? [])
        case .parameter: []
        }
    }

    /// The name of a private declaration in the type, which a generated file cannot refer to; nil if there is
    /// none.
    fileprivate var privateName: String? {
        switch self {
        case .nominal(let nominal, let arguments):
            nominal.steps.first { $0.discriminator != nil }?.name
                ?? arguments.lazy.joined().compactMap(\.privateName).first
        case .existential(let protocols, let superclass, _):
            protocols.flatMap(\.steps).first { $0.discriminator != nil }?.name ?? superclass?.privateName
        case .parameter: nil
        }
    }
}
