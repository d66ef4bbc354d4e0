/// A `contents` file with parts that mean nothing to the framework on every level.
let extraConstructs = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE model [<!-- ask > me --><!ELEMENT model ANY>]>
    <!-- Books -->
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" shiny="YES">
        <!-- what is
             borrowed -->
        <?tool keep="all" ?>
        <entity name="Book" representedClassName=".Book" glow="1">

            <!-- first -->
            <sparkle b="2" a='1'>
              <entity name="Fake"/> &amp; more <![CDATA[</entity>]]>
            </sparkle>
            <attribute name="pages" attributeType="Integer 32" glow="3"/> <!-- on the same line -->
            <attribute name="title" attributeType="String">
                <!-- inside -->
                <userInfo>
                    <entry key="a" value="1" shade="grey">
                        <!-- in an entry -->
                    </entry>
                    <other/>
                    <entry key="a" value="2">
                        <!-- in a second one -->
                    </entry>
                </userInfo>
                <later/>
            </attribute>
            <relationship name="author" maxCount="1" deletionRule="Nullify" destinationEntity="Book"><!---->
            </relationship>
            <fetchedProperty name="others" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Book">
                    <sort by="title"/>
                </fetchRequest>
                <!-- end -->
            </fetchedProperty>
            <fetchIndex name="byTitle">
                <!-- index -->
                <fetchIndexElement property="title" type="Binary" order="ascending" width="4">
                    <hint/>
                </fetchIndexElement>
            </fetchIndex>
            <uniquenessConstraints kind="strict">
                <uniquenessConstraint>
                    <constraint value="title"/>
                </uniquenessConstraint>
                <!-- second -->
                <uniquenessConstraint weak="YES">
                    <constraint value="pages" since="2"/>
                    <!-- last -->
                </uniquenessConstraint>
            </uniquenessConstraints>
            loose text
        </entity>
        <fetchRequest name="all" entity="Book">
            <sort by="title"/>
        </fetchRequest>
        <configuration name="Local" place="here">
            <!-- members -->
            <memberEntity name="Book" since="1"/>
            <memberEntity/>
        </configuration>
        <composite name="Place" tone="x">
            <!-- of numbers -->
            <attribute name="latitude" optional="YES" attributeType="Double"/>
        </composite>
        <elements version="2">
            <element name="Book" positionX="-63" positionY="18" width="128" height="44"/>
            <note/>
        </elements>
        <future version="30">
            <thing/>
        </future>
    </model>
    <!-- the end -->

    """
