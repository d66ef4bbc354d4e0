// Without an import: in its Xcode project a header imports for all files.

@objc(CLSUpperCase)
public final class UpperCase: Foundation.ValueTransformer {
    public override func transformedValue(_ value: Any?) -> Any? { (value as? NSString)?.uppercased }
}
